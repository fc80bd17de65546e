/** The steps that install and remove the service: printed by `--print`, otherwise executed. */
import { rmSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../errors.ts';
import { reasonOf } from '../system/errors.ts';
import { quoted } from '../system/shell.ts';
import { run } from './run.ts';
import { type UnitParts, unitText } from './unit.ts';

export type Step =
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'run'; readonly command: readonly string[] };

/** Returns the path for an administrator's units. It takes precedence over the paths of packages. */
export const unitPath = (name: string): string => `/etc/systemd/system/${name}.service`;

export interface Installation extends UnitParts {
  readonly name: string;
  readonly isUserThere: boolean;
  /**
   * The missing folders of `writes`, created for this service only. The owner of existing folders is not
   * changed.
   */
  readonly missing: readonly string[];
}

/** Returns the installation steps. An existing service is updated and restarted. */
export function installSteps(wanted: Installation): readonly Step[] {
  const { name, user, data, config, missing, isUserThere } = wanted;
  return [
    ...(isUserThere ? [] : [command('useradd', '--system', '--user-group', ...homeless(data), user)]),
    // Changes links, not their targets.
    command('chown', '-hR', `${user}:${user}`, '--', data),
    ...missing.map((path) => command('install', '-d', '-m', '0700', '-o', user, '-g', user, '--', path)),
    ...(config === undefined
      ? []
      : [command('chgrp', user, '--', config), command('chmod', 'u=rw,g=r,o=', '--', config)]),
    { kind: 'write', path: unitPath(name), content: unitText(wanted) },
    command('systemctl', 'daemon-reload'),
    command('systemctl', 'enable', `${name}.service`),
    command('systemctl', 'restart', `${name}.service`),
  ];
}

const homeless = (data: string): readonly string[] => [
  ...['--home-dir', data, '--no-create-home', '--shell', '/usr/sbin/nologin'],
];

export const uninstallSteps = (name: string): readonly Step[] => [
  command('systemctl', 'disable', '--now', `${name}.service`),
  { kind: 'remove', path: unitPath(name) },
  command('systemctl', 'daemon-reload'),
];

const command = (...words: readonly string[]): Step => ({ kind: 'run', command: words });

/** Formats a step for people. */
export function stepText(step: Step): string {
  switch (step.kind) {
    case 'write':
      return `grava ${step.path}:\n\n${step.content.replaceAll(/^(?=.)/gm, '    ')}`;
    case 'remove':
      return `apaga ${step.path}`;
    case 'run':
      return `executa ${step.command.map(inCommand).join(' ')}`;
  }
}

/**
 * Leaves a word unchanged if a shell takes it literally, and quotes any other, because it may be copied into
 * a shell.
 */
const inCommand = (word: string): string => (/^[\w.:=,/-]+$/.test(word) ? word : quoted(word));

/** Stops at the first step that fails. */
export function perform(step: Step): void {
  try {
    if (step.kind === 'write') writeFileSync(step.path, step.content, { mode: 0o644 });
    else if (step.kind === 'remove') rmSync(step.path, { force: true });
    else required(step.command);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`Não foi possível: ${stepText(step).split(':\n', 1)[0]} (${reasonOf(error)}).`, {
      cause: error,
    });
  }
}

function required(words: readonly string[]): void {
  const { code, said } = run(words);
  if (code === 0) return;
  const more =
    words[0] === 'systemctl' ? '\nO que o servidor disse: journalctl -n 20 -u ' + (words.at(-1) ?? '') : '';
  throw new OperatorError(
    `'${words.join(' ')}' terminou com ${code}: ${said.trim() || 'nada foi dito'}${more}`,
  );
}
