/** Formats commands for the user's shell: PowerShell on Windows. */
import { quotedForPowerShell } from '../windows/command-line.ts';

export const SHELL: 'bash' | 'powershell' = process.platform === 'win32' ? 'powershell' : 'bash';

/** Selects the text of the current shell. */
export const inShell = (words: Readonly<Record<typeof SHELL, string>>): string => words[SHELL];

/** Quotes a path for the current shell. */
export const quoted = (path: string): string =>
  SHELL === 'powershell' ? quotedForPowerShell(path) : quotedForPosix(path);

const quotedForPosix = (path: string): string =>
  /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** Prints 32 random bytes as hexadecimal. */
export const RANDOM_SECRET = inShell({
  bash: 'openssl rand -hex 32',
  powershell:
    '$b = [byte[]]::new(32); [Security.Cryptography.RandomNumberGenerator]::Create().GetBytes($b); -join ($b | % ToString x2)',
});
