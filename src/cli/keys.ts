/** Keys that a running command obeys: pressed in a terminal, or as letters that a pipe brings. */
export interface Keys {
  /** Gives the terminal back. */
  release(): void;
}

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** `quit` too on Ctrl+C and Ctrl+D, which a terminal that hands over single keys does not make signals of. */
export function listenToKeys(keys: Readonly<Record<string, () => void>>, quit: () => void): Keys {
  const { stdin } = process;
  const isTerminal = stdin.isTTY;
  const obey = (data: Buffer): void => {
    for (const key of data.toString('utf8'))
      if (isTerminal && (key === CTRL_C || key === CTRL_D)) quit();
      else if (Object.hasOwn(keys, key)) keys[key]?.();
  };
  if (isTerminal) stdin.setRawMode(true);
  stdin.on('data', obey);
  stdin.on('error', () => undefined); // a terminal that is gone has no keys
  return {
    release: () => {
      stdin.off('data', obey);
      if (isTerminal) stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
