/** Arguments on command lines of Windows, which other programs split again. */
import { expect, test } from 'bun:test';
import { quotedForPowerShell, windowsLine } from '../../src/windows/command-line.ts';

test('a word without a separator is not quoted', () => {
  expect(windowsLine(['C:\\catp\\catp.exe', 'serve', '--data', 'D:\\dados'])).toBe(
    'C:\\catp\\catp.exe serve --data D:\\dados',
  );
});

test('blanks, quotes and an empty word are quoted', () => {
  expect(windowsLine(['C:\\Program Files\\catp.exe', 'a"b', ''])).toBe(
    '"C:\\Program Files\\catp.exe" "a\\"b" ""',
  );
});

test('backslashes before a quote are doubled, others are not', () => {
  expect(windowsLine(['D:\\os dados\\'])).toBe('"D:\\os dados\\\\"');
  expect(windowsLine(['a\\\\"b c\\d'])).toBe('"a\\\\\\\\\\"b c\\d"');
});

test('PowerShell accepts a path unquoted, or in single quotes', () => {
  expect(quotedForPowerShell('C:\\dados\\catp_1')).toBe('C:\\dados\\catp_1');
  expect(quotedForPowerShell("C:\\os dados da d'água")).toBe("'C:\\os dados da d''água'");
  expect(quotedForPowerShell('$HOME')).toBe("'$HOME'");
});
