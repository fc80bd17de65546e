/** Words on command lines of Windows, which other programs cut again. */
import { expect, test } from 'bun:test';
import { quotedForPowerShell, windowsLine } from '../../src/windows/command-line.ts';

test('a word with nothing in it that cuts stands as it is', () => {
  expect(windowsLine(['C:\\catp\\catp.exe', 'serve', '--data', 'D:\\dados'])).toBe(
    'C:\\catp\\catp.exe serve --data D:\\dados',
  );
});

test('blanks, quotes and nothing at all are quoted', () => {
  expect(windowsLine(['C:\\Program Files\\catp.exe', 'a"b', ''])).toBe(
    '"C:\\Program Files\\catp.exe" "a\\"b" ""',
  );
});

test('backslashes before a quote count double, others do not', () => {
  expect(windowsLine(['D:\\os dados\\'])).toBe('"D:\\os dados\\\\"');
  expect(windowsLine(['a\\\\"b c\\d'])).toBe('"a\\\\\\\\\\"b c\\d"');
});

test('PowerShell takes a path as it is, or in single quotes', () => {
  expect(quotedForPowerShell('C:\\dados\\catp_1')).toBe('C:\\dados\\catp_1');
  expect(quotedForPowerShell("C:\\os dados da d'água")).toBe("'C:\\os dados da d''água'");
  expect(quotedForPowerShell('$HOME')).toBe("'$HOME'");
});
