/** A process that runs the imports of a folder and kills itself at a certain look at its stopwatch, wherever that is. */
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
