/** Completion for zsh: each word with what it means. */
import { type Place, SETTING_WORDS, type Values, placesOf } from './tree.ts';

export function zshCompletion(root: Place): string {
  const places = placesOf(root);
  const commands = places.filter(({ path }) => path !== '').map(({ path }) => quoted(` ${path}`));
  const values = places.flatMap(({ path, flags }) =>
    flags.flatMap((flag) =>
      flag.values === undefined
        ? []
        : [
            `    (${flag.names.map((name) => quoted(`${spaced(path)} ${name}`)).join('|')}) ${completed(flag.values)}; return ;;`,
          ],
    ),
  );
  const words = places.map((place) => {
    const flags = place.flags.flatMap(({ names, about }) => names.map((name) => described(name, about)));
    const children = place.children.map(({ path, about }) => described(path.split(' ').at(-1) ?? '', about));
    const own =
      children.length > 0
        ? `found=(${children.join(' ')}); _describe comando found`
        : completed(place.values);
    return `    (${quoted(spaced(place.path))})
      if [[ $words[CURRENT] == -* ]]; then found=(${flags.join(' ')}); _describe -o opção found
      else ${own}; fi ;;`;
  });
  const settings = SETTING_WORDS.filter(([, accepted]) => accepted.length > 0).map(
    ([name, accepted]) => `    (${name}=*) compset -P '*='; compadd -- ${accepted.join(' ')} ;;`,
  );
  return `#compdef catp
# Feito por "catp completion zsh".
_catp_settings() {
  case $words[CURRENT] in
${settings.join('\n')}
    (*) compadd -S = -- ${SETTING_WORDS.map(([name]) => name).join(' ')} ;;
  esac
}
_catp() {
  local at= i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    case "$at $words[i]" in
      (${commands.join('|')}) at="$at $words[i]" ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${values.join('\n')}
  esac
  case $at in
${words.join('\n')}
  esac
}
if [[ $funcstack[1] == _catp ]]; then _catp "$@"; else compdef _catp catp; fi
`;
}

const spaced = (path: string): string => (path === '' ? '' : ` ${path}`);

/** `word:what it means`; a colon of its own is escaped. */
const described = (word: string, about: string): string =>
  quoted(`${word.replaceAll(':', '\\:')}:${about.replaceAll('\n', ' ')}`);

function completed(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `compadd -- ${values.words.map(quoted).join(' ')}`;
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'settings':
      return '_catp_settings';
    case 'any':
      return ':';
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
