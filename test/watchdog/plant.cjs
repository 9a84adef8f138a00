// Loaded into a built server by NODE_OPTIONS: a signal makes its main thread spin in one turn, as a text would.
process.on('SIGUSR2', () => {
  for (;;);
});
