/** Preloaded into a server: at its end it writes the paths of the evaluated modules to the file MODULES_FILE. */
import { writeFileSync } from 'node:fs';

process.on('SIGTERM', () => {
  writeFileSync(Bun.env['MODULES_FILE'] ?? 'modules', Object.keys(require.cache).join('\n'));
});
