import { defineConfig } from 'vitest/config';

// starting a server can take long on a busy machine
export default defineConfig({ test: { testTimeout: 120_000, hookTimeout: 120_000 } });
