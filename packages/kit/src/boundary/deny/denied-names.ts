/**
 * What is denied unless the operator says otherwise: files that hold secrets by the conventions of the program that
 * reads them, and folders whose content other programs run. Names that are often harmless are left out, such as
 * `*.env`, `*.crt`, `*.tfvars` and `.yarnrc.yml`.
 */
export const defaultDeny: readonly string[] = Object.freeze([
  // settings that are kept out of repositories because of what is in them; their templates are there to be read
  '.env',
  '.env.*',
  '.envrc',
  '!.env.example',
  '!.env.sample',
  '!.env.template',
  '!.env.dist',
  // private keys and stores of them; a .pem may be a mere certificate, but its name does not say so, except these
  '*.pem',
  '!cacert.pem',
  '!ca-bundle.pem',
  '!chain.pem',
  '!fullchain.pem',
  '*.key',
  '*.p8',
  '*.p12',
  '*.pfx',
  '*.ppk',
  '*.jks',
  '*.keystore',
  '*.kdbx',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ecdsa_sk',
  'id_ed25519',
  'id_ed25519_sk',
  '.ssh',
  '.gnupg',
  // accounts of clouds and services; .aws and .azure hold tokens in several files, others share their folder
  '.aws',
  '.azure',
  '**/.config/gcloud',
  '**/.config/gh',
  '**/.kube/config',
  '**/.docker/config.json',
  '.dockercfg',
  '**/.cargo/credentials',
  '**/.cargo/credentials.toml',
  '**/.gem/credentials',
  'credentials.json',
  'service-account*.json',
  'client_secret*.json',
  '.vault-token',
  // passwords that tools look up by themselves
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.htpasswd',
  // what was typed, passwords too
  '.*_history',
  // hooks and settings in there run as commands; a file of this name points to such a folder. git~1 is its short name
  '.git',
  'git~1',
  '.hg',
]);
