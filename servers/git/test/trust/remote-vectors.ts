import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Site, Vector } from './hostile.ts';

const ext = (site: Site) => `ext::${site.payload}`;
const allow = (site: Site) => {
  site.set('protocol.ext.allow', 'always');
  site.set('protocol.allow', 'always');
};
const at = (site: Site, url: string) => site.git('config', 'remote.origin.url', url);

/** Makes the one blob that only `main` has a promise of the remote. */
function promise(site: Site): void {
  const blob = site.git('rev-parse', 'main:file.txt').trim();
  rmSync(join(site.repository, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  const objects = site.git('rev-list', '--objects', '--missing=allow-any', 'main', '--not', 'HEAD~1').trim();
  const pack = site.git('rev-list', '--all', '--objects', '--missing=allow-any').trim();
  if (objects === '' || pack === '') throw new Error('nothing to promise');
  site.set('core.repositoryFormatVersion', '1');
  site.set('extensions.partialClone', 'origin');
  site.set('remote.origin.promisor', 'true');
}

/** A submodule that is there, whose own configuration is the hostile one. */
function submodule(site: Site): string {
  site.git('submodule', '--quiet', 'add', '../remote.git', 'sub');
  site.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'sub');
  site.write('sub/file.txt', 'one\nMAIN\nthree\n');
  return '.git/modules/sub/config';
}

export const remoteVectors: readonly Vector[] = [
  {
    name: 'core.sshCommand',
    plant: (site) => {
      at(site, 'ssh://host.invalid/x');
      site.set('core.sshCommand', site.payload);
    },
    fires: [['fetch'], ['ls-remote'], ['push', 'origin', 'main']],
    stoppedBy: 'executor',
    listed: ['core.sshcommand'],
  },
  {
    name: 'core.sshCommand with ssh.variant',
    plant: (site) => {
      at(site, 'host.invalid:x');
      site.set('core.sshCommand', site.payload);
      site.set('ssh.variant', 'simple');
    },
    fires: [['fetch'], ['ls-remote']],
    stoppedBy: 'executor',
    listed: ['core.sshcommand', 'ssh.variant'],
  },
  {
    name: 'remote.<name>.uploadpack',
    plant: (site) => site.set('remote.origin.uploadpack', site.payload),
    fires: [['fetch'], ['ls-remote', 'origin'], ['pull']],
    stoppedBy: 'executor',
    listed: ['remote.origin.uploadpack'],
  },
  {
    name: 'remote.<name>.receivepack',
    plant: (site) => site.set('remote.origin.receivepack', site.payload),
    fires: [['push', 'origin', 'HEAD:new']],
    stoppedBy: 'executor',
    listed: ['remote.origin.receivepack'],
  },
  {
    name: 'core.alternateRefsCommand',
    plant: (site) => {
      site.write('.git/objects/info/alternates', `${site.folder}/remote.git/objects\n`);
      site.set('core.alternateRefsCommand', site.payload);
    },
    fires: [['fetch']],
    stoppedBy: 'configuration',
    listed: ['core.alternaterefscommand'],
  },
  {
    name: 'a remote helper as the URL of a remote',
    plant: (site) => {
      allow(site);
      at(site, ext(site));
    },
    fires: [['fetch'], ['ls-remote'], ['push', 'origin', 'main']],
    stoppedBy: 'executor',
    listed: ['remote.origin.url', 'protocol.ext.allow', 'protocol.allow'],
  },
  {
    name: 'a remote helper as the push URL of a remote',
    plant: (site) => {
      allow(site);
      site.set('remote.origin.pushurl', ext(site));
    },
    fires: [['push', 'origin', 'main']],
    stoppedBy: 'executor',
    listed: ['remote.origin.pushurl'],
  },
  {
    name: 'remote.<name>.vcs',
    plant: (site) => {
      allow(site);
      at(site, site.payload);
      site.set('remote.origin.vcs', 'ext');
    },
    fires: [['fetch']],
    stoppedBy: 'executor',
    listed: ['remote.origin.vcs'],
  },
  {
    name: 'url.<base>.insteadOf',
    plant: (site) => {
      allow(site);
      at(site, 'https://host.invalid/x');
      site.set(`url.${ext(site)} .insteadOf`, 'https://host.invalid/');
    },
    fires: [['fetch'], ['ls-remote', 'https://host.invalid/y']],
    stoppedBy: 'executor',
    listed: ['protocol.ext.allow'],
  },
  {
    name: 'url.<base>.pushInsteadOf',
    plant: (site) => {
      allow(site);
      site.set(`url.${ext(site)} .pushInsteadOf`, '../');
    },
    fires: [['push', 'origin', 'main']],
    stoppedBy: 'executor',
    listed: ['protocol.ext.allow'],
  },
  {
    name: 'a remote helper as the remote of a branch',
    plant: (site) => {
      allow(site);
      site.git('config', 'branch.main.remote', ext(site));
      site.git('config', 'branch.main.pushRemote', ext(site));
      site.set('remote.pushDefault', ext(site));
    },
    fires: [['fetch'], ['push']],
    stoppedBy: 'executor',
    listed: ['branch.main.remote', 'branch.main.pushremote', 'remote.pushdefault'],
  },
  {
    name: 'a promised object and the uploadpack of its remote',
    plant: (site) => {
      promise(site);
      site.set('remote.origin.uploadpack', site.payload);
    },
    fires: [
      ['log', '-p'],
      ['cat-file', '-p', 'main:file.txt'],
    ],
    stoppedBy: 'executor',
    listed: ['remote.origin.uploadpack'],
  },
  {
    name: 'credential.helper',
    plant: (site) => site.set('credential.helper', `!${site.payload}`),
    fires: [{ args: ['credential', 'fill'], input: 'protocol=https\nhost=host.invalid\n\n' }],
    stoppedBy: 'configuration',
    listed: ['credential.helper'],
  },
  {
    name: 'credential.<url>.helper',
    plant: (site) => site.set('credential.https://host.invalid.helper', `!${site.payload}`),
    fires: [{ args: ['credential', 'fill'], input: 'protocol=https\nhost=host.invalid\n\n' }],
    stoppedBy: 'configuration',
    listed: ['credential.https://host.invalid.helper'],
  },
  {
    name: 'core.askPass',
    plant: (site) => site.set('core.askPass', site.payload),
    fires: [{ args: ['credential', 'fill'], input: 'protocol=https\nhost=host.invalid\n\n' }],
    stoppedBy: 'executor',
    listed: ['core.askpass'],
  },
  {
    name: 'core.gitProxy',
    plant: (site) => {
      at(site, 'git://host.invalid/x');
      site.set('core.gitProxy', site.payload);
    },
    fires: [['fetch'], ['ls-remote']],
    stoppedBy: 'executor',
    listed: ['core.gitproxy'],
  },
  {
    name: 'hooks of a remote that is a folder',
    plant: (site) => {
      for (const hook of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction'])
        site.write(`../remote.git/hooks/${hook}`, `#!/bin/sh\n'${site.payload}'\n`, 0o755);
    },
    fires: [['push', 'origin', 'HEAD:new']],
    stoppedBy: 'executor',
    listed: [],
  },
  {
    name: 'submodule.<name>.update as a command',
    plant: (site) => {
      submodule(site);
      site.git('config', 'submodule.sub.update', `!${site.payload}`);
      site.git('-C', 'sub', 'checkout', '--quiet', '--force', 'HEAD~1');
    },
    fires: [['submodule', 'update']],
    stoppedBy: 'configuration',
    listed: ['submodule.sub.update'],
  },
  {
    name: 'core.fsmonitor of a submodule',
    plant: (site) => site.git('config', '--file', submodule(site), 'core.fsmonitor', site.payload),
    fires: [['status'], ['diff']],
    stoppedBy: 'configuration',
    listed: [],
  },
  {
    name: 'a filter of a submodule',
    plant: (site) => {
      site.git('config', '--file', submodule(site), 'filter.evil.clean', site.copier);
      site.write('.git/modules/sub/info/attributes', '* filter=evil\n');
    },
    fires: [['status'], ['diff'], ['add', '-A'], ['commit', '-am', 'x']],
    stoppedBy: 'configuration',
    listed: [],
  },
  {
    name: 'a filter of a repository inside the work tree that only the index knows',
    plant: (site) => {
      mkdirSync(join(site.repository, 'nested'));
      site.git('clone', '--quiet', '../remote.git', 'nested');
      site.git('add', 'nested');
      site.git('config', '--file', 'nested/.git/config', 'filter.evil.clean', site.copier);
      site.write('nested/.git/info/attributes', '* filter=evil\n');
      site.write('nested/file.txt', 'one\nMAIN\nthree\n');
    },
    fires: [['status'], ['diff'], ['add', '-A']],
    stoppedBy: 'configuration',
    listed: [],
  },
  {
    name: 'remote.<name>.uploadpack of a submodule that is fetched on demand',
    plant: (site) => {
      const file = submodule(site);
      site.git('config', '--file', file, 'remote.origin.uploadpack', site.payload);
      site.set('fetch.recurseSubmodules', 'true');
    },
    fires: [['fetch'], ['fetch', '--recurse-submodules']],
    stoppedBy: 'executor',
    listed: [],
  },
];
