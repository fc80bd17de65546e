/**
 * Flags with a value, as data. Commander's options are built from them. A simple command line, like those of
 * services and containers, is parsed without commander, whose loading costs a server milliseconds and
 * megabytes.
 */

export interface Flag {
  /** The form in the help: `--port <n>`. */
  readonly usage: string;
  readonly about: string;
  readonly defaultValue?: unknown;
  /** The default in the help, if it differs from the value. */
  readonly defaultText?: string;
  /** Accepted, but not shown, because people do not need it. */
  readonly isHidden?: true;
  /** Parses a value. `before`: the previous value of the flag. */
  readonly parse?: (text: string, before: never) => unknown;
}

/** A command whose only arguments are such flags. */
export interface PlainCommand {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly Flag[];
  readonly run: (flags: never) => Promise<void>;
}

/**
 * Parses a line of `--flag value` pairs, as commander would. Returns `undefined` for anything else: short
 * flags, `--flag=value`, old names, help, misspelt or missing words. Commander then parses or refuses the
 * line.
 */
export function readPlainly(
  words: readonly string[],
  flags: readonly Flag[],
): Readonly<Record<string, unknown>> | undefined {
  const pairs: (readonly [Flag, string])[] = [];
  for (let index = 0; index < words.length; index += 2) {
    const [word, value = ''] = words.slice(index, index + 2);
    const flag = flags.find(({ usage }) => usage.split(' ')[0] === word);
    if (flag === undefined || value === '' || value.startsWith('-')) return undefined;
    pairs.push([flag, value]);
  }
  const values: Record<string, unknown> = {};
  for (const { usage, defaultValue } of flags)
    if (defaultValue !== undefined) values[memberOf(usage)] = defaultValue;
  for (const [{ usage, parse }, value] of pairs) {
    const member = memberOf(usage);
    values[member] = parse === undefined ? value : parse(value, values[member] as never);
  }
  return values;
}

/** Converts `--tls-port <n>` to `tlsPort`. */
const memberOf = (written: string): string =>
  (written.split(' ')[0] ?? '').slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
