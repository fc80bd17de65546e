/** Completion for fish: each word with what it means. */
import { type Flag, type Place, SETTING_WORDS, type Values, placesOf } from './tree.ts';

export function fishCompletion(root: Place): string {
  const places = placesOf(root);
  const commands = places.filter(({ path }) => path !== '').map(({ path }) => quoted(` ${path}`));
  return `# Feito por "catp completion fish".
function __catp_at
    set -l at ''
    for word in (commandline -opc)[2..]
        contains -- "$at $word" ${commands.join(' ')}
        and set at "$at $word"
    end
    test "$at" = "$argv[1]"
end
function __catp_settings
${SETTING_WORDS.map(([name, accepted]) => `    printf '%s\\n' ${(accepted.length === 0 ? [''] : accepted).map((word) => `${name}=${word}`).join(' ')}`).join('\n')}
end
complete -c catp -f
${places.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, flags, values, children }: Place): readonly string[] {
  const at = `complete -c catp -n ${quoted(`__catp_at '${path === '' ? '' : ` ${path}`}'`)}`;
  const own =
    children.length > 0
      ? children.map(
          (child) => `${at} -a ${quoted(child.path.split(' ').at(-1) ?? '')} -d ${quoted(child.about)}`,
        )
      : argumentsOf(values).map((words) => `${at} ${words}`);
  return [
    ...own,
    ...flags.map((flag) => `${at} ${namesOf(flag)} -d ${quoted(flag.about)}${valueOf(flag.values)}`),
  ];
}

const namesOf = ({ names }: Flag): string =>
  names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ');

/** `-r` takes a value, `-x` one that is no file. */
function valueOf(values: Values | undefined): string {
  if (values === undefined) return '';
  const [words = ''] = argumentsOf(values);
  return values.kind === 'file' ? ' -rF' : ` -x ${words}`.trimEnd();
}

function argumentsOf(values: Values): readonly string[] {
  switch (values.kind) {
    case 'words':
      return [`-a ${quoted(values.words.join(' '))}`];
    case 'file':
      return ['-F'];
    case 'folder':
      return [`-a '(__fish_complete_directories)'`];
    case 'settings':
      return [`-a '(__catp_settings)'`];
    case 'any':
      return [];
  }
}

/** In fish a backslash escapes within quotes too. */
const quoted = (text: string): string => `'${text.replaceAll('\n', ' ').replaceAll(/['\\]/g, '\\$&')}'`;
