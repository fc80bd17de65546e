/** Preloaded into a server: at its end it writes the number of evaluated modules to the file MODULES_FILE. */
import { writeFileSync } from 'node:fs';

process.on('SIGTERM', () => {
  writeFileSync(Bun.env['MODULES_FILE'] ?? 'modules', String(Object.keys(require.cache).length));
});
