/** Quotes words for Windows command lines. */

/** Returns one line that the started program splits into the same words (`CommandLineToArgvW`). */

export const windowsLine = (words: readonly string[]): string => words.map(quotedWord).join(' ');

/** Doubles backslashes only before a quote. */
function quotedWord(word: string): string {
  if (word !== '' && !/[\s"]/.test(word)) return word;
  return `"${word.split('"').map(doubledAtEnd).join('\\"')}"`;
}

function doubledAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\\') end -= 1;
  return text + text.slice(end);
}

/** Quotes a word for PowerShell. */
export const quotedForPowerShell = (word: string): string =>
  /^[\w.:\\/~-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
