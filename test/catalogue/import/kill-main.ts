/** Process that runs the imports of a folder, and kills itself at the given read of its stopwatch. */
import { openImports, steppingStopwatch } from './support.ts';

const [folder = '', lastLook = ''] = process.argv.slice(2);
const imports = await openImports({
  folder,
  stopwatch: steppingStopwatch(1, (look) => {
    if (look === Number(lastLook)) process.kill(process.pid, 'SIGKILL');
  }),
});
await imports.runner.resume();
await imports.runner.idle();
