/**
 * Flags with a value, as data: commander's options are made of them, and a line that is written as plainly as services and
 * containers write it is read without commander, which would cost a server milliseconds and megabytes.
 */

export interface Flag {
  /** As help shows it: `--port <n>`. */
  readonly written: string;
  readonly about: string;
  readonly byDefault?: unknown;
  /** How help tells it, where that is not the value itself. */
  readonly byDefaultText?: string;
  /** Of no use to people: taken, and not shown. */
  readonly isHidden?: true;
  /** What a value becomes; `before`: what the flag was so far. */
  readonly read?: (text: string, before: never) => unknown;
}

/** A command that takes such flags and nothing else. */
export interface PlainCommand {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly Flag[];
  readonly run: (flags: never) => Promise<void>;
}

/**
 * What a line of `--flag value` pairs says, as commander would read it; `undefined` where it is anything else: short
 * flags, `--flag=value`, old names, help, what is misspelt or missing. All that is for commander to read or to refuse.
 */
export function readPlainly(
  words: readonly string[],
  flags: readonly Flag[],
): Readonly<Record<string, unknown>> | undefined {
  const pairs: (readonly [Flag, string])[] = [];
  for (let at = 0; at < words.length; at += 2) {
    const [word, value = ''] = words.slice(at, at + 2);
    const flag = flags.find(({ written }) => written.split(' ')[0] === word);
    if (flag === undefined || value === '' || value.startsWith('-')) return undefined;
    pairs.push([flag, value]);
  }
  const given: Record<string, unknown> = {};
  for (const { written, byDefault } of flags)
    if (byDefault !== undefined) given[memberOf(written)] = byDefault;
  for (const [{ written, read }, value] of pairs) {
    const member = memberOf(written);
    given[member] = read === undefined ? value : read(value, given[member] as never);
  }
  return given;
}

/** `--tls-port <n>`: `tlsPort`. */
const memberOf = (written: string): string =>
  (written.split(' ')[0] ?? '').slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
