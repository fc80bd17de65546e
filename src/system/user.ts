/** Identifies the user of the process: by number, and on Windows by name. */
import { userInfo } from 'node:os';

export const systemUser = (): string => String(process.getuid?.() ?? userInfo().username);
