/**
 * Rebuilds the executable with another build of the runtime: `BUN refazer.js [SAIDA]`. BUN is the runtime
 * that the new executable will contain. The script reads only the folder `objetos` next to it.
 */
import { dirname, join, resolve } from 'node:path';
import { settings } from './configuracao.js';

const [output = 'catp'] = process.argv.slice(2);
const outfile = resolve(output);
process.chdir(join(dirname(import.meta.path), 'objetos'));
await Bun.build({
  entrypoints: ['main.js', ...new Bun.Glob('**/*.worker.js').scanSync()],
  root: '.',
  target: 'bun',
  format: 'esm',
  bytecode: true,
  splitting: true,
  compile: { ...settings, outfile },
});
console.log(`refazer: ${outfile}, com o Bun ${Bun.version} de ${process.execPath}`);
