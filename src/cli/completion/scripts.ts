/**
 * The completion script of each shell. At every Tab it sends the words up to the cursor to `catp completion
 * SHELL --offer`, one a line. It gets the kind of the completions (see `Offer`), then one line for each word,
 * with its description behind a tab.
 */
export const SCRIPTS = {
  // bash also splits words at `=`: the part before it must not be offered again.
  bash: `# Feito por "catp completion bash".
_catp() {
  local found cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  mapfile -t found < <(printf '%s\\n' "\${COMP_WORDS[@]:0:COMP_CWORD + 1}" | "\${COMP_WORDS[0]}" completion bash --offer 2>/dev/null)
  COMPREPLY=()
  case \${found[0]} in
    files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
    unfinished) compopt -o nospace 2>/dev/null ;;
  esac
  COMPREPLY=("\${found[@]:1}")
  COMPREPLY=("\${COMPREPLY[@]%%$'\\t'*}")
  if [[ $cur == '=' || $prev == '=' ]]; then COMPREPLY=("\${COMPREPLY[@]#*=}"); fi
}
complete -F _catp catp
`,
  zsh: `#compdef catp
# Feito por "catp completion zsh".
_catp() {
  local kind
  local -a found
  found=("\${(@f)$(print -rl -- "\${(@)words[1,CURRENT]}" | $words[1] completion zsh --offer 2>/dev/null)}")
  kind=$found[1]
  shift found
  case $kind in
    (files) _files ;;
    (folders) _files -/ ;;
    (unfinished) compadd -S '' -- \${found%%$'\\t'*} ;;
    (*) found=(\${\${found//:/\\\\:}/$'\\t'/:}); _describe palavra found ;;
  esac
}
if [[ $funcstack[1] == _catp ]]; then _catp "$@"; else compdef _catp catp; fi
`,
  fish: `# Feito por "catp completion fish".
function __catp_offer
    set -l words (commandline -opc) (commandline -ct)
    set -l found (printf '%s\\n' $words | $words[1] completion fish --offer 2>/dev/null)
    switch $found[1]
        case files
            __fish_complete_path $words[-1]
        case folders
            __fish_complete_directories $words[-1]
        case '*'
            printf '%s\\n' $found[2..]
    end
end
complete -c catp -f -a '(__catp_offer)'
`,
  // Windows PowerShell exchanges text with other programs in an old code page, unless it is set.
  powershell: `# Feito por "catp completion powershell".
Register-ArgumentCompleter -Native -CommandName @('catp', 'catp.exe') -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @(foreach ($element in $commandAst.CommandElements) {
        if ($element.Extent.EndOffset -lt $cursorPosition) {
            if ($element.Value -is [string]) { $element.Value } else { $element.Extent.Text }
        }
    }) + $wordToComplete
    $before = [Console]::OutputEncoding
    $OutputEncoding = [Console]::OutputEncoding = [System.Text.UTF8Encoding]::new($false)
    try { $kind, $found = @($words | & $words[0] completion powershell --offer 2>$null) }
    finally { [Console]::OutputEncoding = $before }
    if ($kind -eq 'files' -or $kind -eq 'folders') {
        [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete) |
            Where-Object { $kind -eq 'files' -or $_.ResultType -eq 'ProviderContainer' }
        return
    }
    foreach ($line in $found) {
        $word, $about = $line -split "\`t", 2
        if (-not $about) { $about = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
    }
}
`,
} as const;
