/** The same from the sources, where the executable's main program would load much that is not needed. */
import { workForAnother } from './work.ts';

await workForAnother();
