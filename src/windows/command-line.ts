/** Words on a command line of Windows. */

/** As one line, which the program that is started cuts into the same words (`CommandLineToArgvW`). */

export const windowsLine = (words: readonly string[]): string => words.map(quotedWord).join(' ');

/** Backslashes count double only before a quote. */
function quotedWord(word: string): string {
  if (word !== '' && !/[\s"]/.test(word)) return word;
  return `"${word.split('"').map(doubledAtEnd).join('\\"')}"`;
}

function doubledAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\\') end -= 1;
  return text + text.slice(end);
}

/** As PowerShell takes a word. */
export const quotedForPowerShell = (word: string): string =>
  /^[\w.:\\/~-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
