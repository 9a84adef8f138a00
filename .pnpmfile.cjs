// The workspace tests the sqlite server under every Node that it supports, from one install. better-sqlite3 13 says that
// it needs Node 22, and would be left out on Node 20; nothing loads it there.
module.exports = {
  hooks: {
    readPackage(manifest) {
      if (manifest.name === 'better-sqlite3') delete manifest.engines;
      return manifest;
    },
  },
};
