/** `catp receiver` alone, as its own process. */
import { runToTheEnd } from '../../src/cli/ending.ts';
import { command } from '../../src/cli/command.ts';
import { receiverCommand } from '../../src/cli/receiver.ts';

await runToTheEnd(() => command('catp', '').addCommand(receiverCommand()).parseAsync(process.argv));
