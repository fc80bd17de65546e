/** `catp completion`: the completions of each shell, requested from the shells themselves. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refusalOf, outputOf } from './outcome.ts';
import { builtExecutable } from '../support/executable.ts';
import { type Sandbox, openSandbox } from './support.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
for (const shell of [...SHELLS, 'pwsh'])
  if (Bun.which(shell) === null)
    console.warn(`SKIPPED: no ${shell} on this machine; its completion is NOT tried`);

let sandbox: Sandbox;
let executable: string;
beforeAll(async () => {
  executable = await builtExecutable();
  sandbox = await openSandbox();
  mkdirSync(join(sandbox.folder, 'pasta-minha'));
  writeFileSync(join(sandbox.folder, 'produtos do mês.json'), '[]');
  for (const shell of SHELLS)
    writeFileSync(join(sandbox.folder, `catp.${shell}`), outputOf(sandbox.run(['completion', shell])));
});
afterAll(() => sandbox.close());

function completionsIn(shell: (typeof SHELLS)[number], script: string): readonly string[] {
  const flags = shell === 'bash' ? ['--norc', '--noprofile'] : shell === 'zsh' ? ['-f'] : ['--no-config'];
  const child = Bun.spawnSync([shell, ...flags, '-c', script], {
    cwd: sandbox.folder,
    // Each shell requests completions from the `catp` in PATH.
    env: {
      PATH: `${dirname(executable)}:${process.env['PATH'] ?? ''}`,
      HOME: sandbox.folder,
      LC_ALL: 'C.UTF-8',
    },
    stdin: 'ignore',
  });
  expect([script, child.stderr.toString()]).toEqual([script, '']);
  return child.stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

/** Requests the completions of a line. Each function splits the line as its shell does. */
const COMPLETIONS: Readonly<Record<(typeof SHELLS)[number], (line: string) => readonly string[]>> = {
  bash: (line) => {
    const words = line
      .split(/ |(=)/)
      .filter((word) => word !== undefined)
      .map((word) => `'${word}'`);
    return completionsIn(
      'bash',
      `source ./catp.bash; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _catp; printf '%s\\n' "\${COMPREPLY[@]}"`,
    );
  },
  // zsh offers nothing without a terminal, so the test prints the candidates.
  zsh: (line) =>
    completionsIn(
      'zsh',
      `compdef() { :; }; source ./catp.zsh
       compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -l -- $@; }
       _describe() { [[ $1 != -o ]] || shift; print -l -- \${(P)2}; }
       _files() { [[ $1 == -/ ]] && print -l -- *(/) || print -l -- *; }
       words=(${line
         .split(' ')
         .map((word) => `'${word}'`)
         .join(' ')}); CURRENT=$#words; _catp`,
    )
      .map((candidate) => candidate.replace(/(?<!\\):.*/, ''))
      .filter((candidate) => candidate.startsWith(line.split(' ').at(-1) ?? ''))
      .map((candidate) => (line.includes('=') ? candidate.slice(candidate.indexOf('=') + 1) : candidate)),
  // fish offers settings together with their values.
  fish: (line) => [
    ...new Set(
      completionsIn('fish', `source ./catp.fish; complete -C '${line}'`).map((candidate) => {
        const [word = ''] = candidate.split('\t');
        const [name = '', value] = word.split('=');
        return (line.includes('=') ? (value ?? '') : name).replace(/\/$/, '');
      }),
    ),
  ],
};

describe.each(SHELLS)('%s', (shell) => {
  const completionsOf = (line: string): string[] =>
    [...COMPLETIONS[shell](line)].map((word) => word.replace(/=$/, '')).toSorted();
  const shellTest = test.skipIf(Bun.which(shell) === null);

  shellTest('offers commands, and those below them', () => {
    expect(completionsOf('catp co')).toEqual(['company', 'completion']);
    expect(completionsOf('catp service ')).toEqual(
      expect.arrayContaining(['install', 'status', 'uninstall']),
    );
    expect(completionsOf('catp service i')).toEqual(['install']);
  });

  shellTest('offers flags where they belong', () => {
    expect(completionsOf('catp service install --p')).toEqual(['--print']);
    expect(completionsOf('catp service status --j')).toEqual(['--json']);
    expect(completionsOf('catp doctor --data x --rec')).toEqual(['--receivers']);
    expect(completionsOf('catp dev --syn')).toEqual([]); // a hidden flag
  });

  shellTest('offers the values that are fixed', () => {
    expect(completionsOf('catp completion ')).toEqual(expect.arrayContaining(['bash', 'fish', 'zsh']));
    expect(completionsOf('catp import --modo es')).toEqual(['espelho']);
    expect(completionsOf('catp export op')).toEqual(['operador']);
    expect(completionsOf('catp serve --set perf')).toEqual(['perfil']);
    expect(completionsOf('catp serve --set perfil=p')).toEqual(['portal']);
  });

  shellTest('offers folders for folders and files for files', () => {
    expect(completionsOf('catp serve --data past')).toEqual(['pasta-minha']);
    expect(completionsOf('catp serve --data prod')).toEqual([]);
    expect(completionsOf('catp serve --config prod')).toEqual([expect.stringMatching(/^produtos(\\)? do/)]);
  });
});

test('another shell is refused with the list of the supported shells', () => {
  expect(refusalOf(sandbox, ['completion', 'tcsh'], 2)).toContain('bash, zsh, fish, powershell');
});

describe('PowerShell', () => {
  const completionsOf = (line: string): readonly string[] => {
    const { stdout } = Bun.spawnSync([executable, 'completion', 'powershell', '--offer'], {
      stdin: Buffer.from(line.split(' ').join('\r\n') + '\r\n'),
    });
    return stdout.toString().trimEnd().split('\n');
  };

  test('completes lines with the line endings of Windows', () => {
    expect(completionsOf('catp service st').map((line) => line.split('\t')[0])).toEqual([
      ...['words', 'start', 'stop', 'status'],
    ]);
    expect(completionsOf('catp serve --data ')).toEqual(['folders']);
  });

  test('is registered for catp and catp.exe, and calls the program that the user calls', () => {
    const script = outputOf(sandbox.run(['completion', 'powershell']));
    expect(script).toContain("Register-ArgumentCompleter -Native -CommandName @('catp', 'catp.exe')");
    expect(script).toContain('$words | & $words[0] completion powershell --offer 2>$null');
    expect(script).toContain('$line -split "`t", 2');
  });

  test.skipIf(Bun.which('pwsh') === null)('offers commands, flags and values', () => {
    const completionsOf = (line: string): string[] => {
      const script = `. ./catp.ps1; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
      const { stdout } = Bun.spawnSync(['pwsh', '-NoProfile', '-Command', script], {
        cwd: sandbox.folder,
        env: { PATH: `${dirname(executable)}:${process.env['PATH'] ?? ''}`, HOME: sandbox.folder },
      });
      return stdout.toString().trim().split('\n').toSorted();
    };
    writeFileSync(join(sandbox.folder, 'catp.ps1'), outputOf(sandbox.run(['completion', 'powershell'])));
    expect(completionsOf('catp co')).toEqual(['company', 'completion']);
    expect(completionsOf('catp service install --p')).toEqual(['--print']);
    expect(completionsOf('catp serve --set perfil=p')).toEqual(['perfil=portal']);
  });
});
