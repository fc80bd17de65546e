/**
 * Entry point of a worker process when run from the sources, where the main program would load unneeded
 * modules.
 */
import { workForAnother } from './work.ts';

await workForAnother();
