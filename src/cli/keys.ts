/** Keys that control a running command: pressed in a terminal, or received as letters through a pipe. */
export interface Keys {
  /** Restores the terminal. */
  release(): void;
}

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/**
 * Listens to keys. Calls `quit` on Ctrl+C and Ctrl+D too, which a terminal in raw mode does not turn into
 * signals.
 */
export function listenToKeys(keys: Readonly<Record<string, () => void>>, quit: () => void): Keys {
  const { stdin } = process;
  const isTerminal = stdin.isTTY;
  const handleKeys = (data: Buffer): void => {
    for (const key of data.toString('utf8'))
      if (isTerminal && (key === CTRL_C || key === CTRL_D)) quit();
      else if (Object.hasOwn(keys, key)) keys[key]?.();
  };
  if (isTerminal) stdin.setRawMode(true);
  stdin.on('data', handleKeys);
  stdin.on('error', () => undefined); // a closed terminal sends no keys
  return {
    release: () => {
      stdin.off('data', handleKeys);
      if (isTerminal) stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
