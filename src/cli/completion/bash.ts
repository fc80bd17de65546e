/** Completion for bash, which cuts words at `=` too. */
import { type Place, SETTING_WORDS, type Values, placesOf } from './tree.ts';

export function bashCompletion(root: Place): string {
  const places = placesOf(root);
  const commands = places.filter(({ path }) => path !== '').map(({ path }) => quoted(` ${path}`));
  const values = places.flatMap(({ path, flags }) =>
    flags.flatMap((flag) =>
      flag.values === undefined
        ? []
        : [
            `    ${flag.names.map((name) => quoted(`${spaced(path)} ${name}`)).join(' | ')}) ${completed(flag.values)} ;;`,
          ],
    ),
  );
  const words = places.map(({ path, flags, values: own }) => {
    const names = flags.flatMap((flag) => flag.names).join(' ');
    return `    ${quoted(spaced(path))})
      if [[ $cur == -* ]]; then _catp_words ${quoted(names)}; else ${completed(own)}; fi ;;`;
  });
  const settings = SETTING_WORDS.filter(([, accepted]) => accepted.length > 0).map(
    ([name, accepted]) => `    ${name}) _catp_words ${quoted(accepted.join(' '))} ;;`,
  );
  return `# Feito por "catp completion bash".
_catp_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_catp_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); }
_catp_folders() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); }
_catp_settings() {
  compopt -o nospace 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -S = -W ${quoted(SETTING_WORDS.map(([name]) => name).join(' '))} -- "$cur")
}
_catp_setting_values() {
  case $1 in
${settings.join('\n')}
  esac
}
_catp() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} at= i
  COMPREPLY=()
  if [[ $cur == '=' ]]; then cur=; _catp_setting_values "$prev"; return; fi
  if [[ $prev == '=' ]]; then _catp_setting_values "\${COMP_WORDS[COMP_CWORD - 2]}"; return; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${commands.join(' | ')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${values.map((line) => line.replace(/ ;;$/, '; return ;;')).join('\n')}
  esac
  case $at in
${words.join('\n')}
  esac
}
complete -F _catp catp
`;
}

const spaced = (path: string): string => (path === '' ? '' : ` ${path}`);

function completed(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `_catp_words ${quoted(values.words.join(' '))}`;
    case 'file':
      return '_catp_files';
    case 'folder':
      return '_catp_folders';
    case 'settings':
      return '_catp_settings';
    case 'any':
      return ':';
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
