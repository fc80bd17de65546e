/** `catp receiver` alone, as a process of its own. */
import { Command } from 'commander';
import { receiverCommand } from '../../src/cli/receiver.ts';

await new Command('catp').addCommand(receiverCommand()).parseAsync();
