/** Process that runs the imports of a folder, and kills itself at the given read of its stopwatch. */
import { openImports, steppingStopwatch } from './support.ts';

const [folder = '', lastRead = ''] = process.argv.slice(2);
const imports = await openImports({
  folder,
  stopwatch: steppingStopwatch(1, (readNumber) => {
    if (readNumber === Number(lastRead)) process.kill(process.pid, 'SIGKILL');
  }),
});
await imports.runner.resume();
await imports.runner.idle();
