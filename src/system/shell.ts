/** What people are told to type, in the words of the shell of this system: PowerShell on Windows. */
import { quotedForPowerShell } from '../windows/command-line.ts';

export const SHELL: 'bash' | 'powershell' = process.platform === 'win32' ? 'powershell' : 'bash';

/** The same in the words of each. */
export const inShell = (words: Readonly<Record<typeof SHELL, string>>): string => words[SHELL];

/** A path as it takes it. */
export const quoted = (path: string): string =>
  SHELL === 'powershell' ? quotedForPowerShell(path) : quotedForPosix(path);

const quotedForPosix = (path: string): string =>
  /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** Prints 32 bytes that nobody guesses, as hexadecimal. */
export const RANDOM_SECRET = inShell({
  bash: 'openssl rand -hex 32',
  powershell:
    '$b = [byte[]]::new(32); [Security.Cryptography.RandomNumberGenerator]::Create().GetBytes($b); -join ($b | % ToString x2)',
});
