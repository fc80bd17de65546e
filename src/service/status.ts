/** The state of the service in systemd. */
import { SECOND_MS } from '../clock.ts';
import { momentText } from '../validation/calendar.ts';
import { run } from './run.ts';

export interface ServiceStatus {
  readonly unit: string;
  /** Path of the unit; `null`: the unit does not exist. */
  readonly path: string | null;
  readonly enabled: boolean;
  readonly active: boolean;
  /** State in the words of systemd: `active (running)`. */
  readonly state: string;
  /** The last status that the server reported. */
  readonly status: string | null;
  readonly since: string | null;
  readonly pid: number | null;
  readonly restarts: number;
}

const PROPERTIES = [
  'FragmentPath',
  'UnitFileState',
  'ActiveState',
  'SubState',
  'StatusText',
  'StateChangeTimestamp',
  'MainPID',
  'NRestarts',
] as const;

/** Returns `undefined` if systemd does not answer. */
export function statusOf(name: string): ServiceStatus | undefined {
  const unit = `${name}.service`;
  const { code, said } = run([
    'systemctl',
    'show',
    unit,
    '--timestamp=unix',
    `--property=${PROPERTIES.join(',')}`,
  ]);
  if (code !== 0) return undefined;
  const properties = new Map(
    said.split('\n').map((line) => {
      const [property = '', ...value] = line.split('=');
      return [property, value.join('=')] as const;
    }),
  );
  const of = (property: (typeof PROPERTIES)[number]): string => properties.get(property) ?? '';
  const seconds = Number(of('StateChangeTimestamp').replace('@', ''));
  return {
    unit,
    path: of('FragmentPath') || null,
    enabled: of('UnitFileState') === 'enabled',
    active: of('ActiveState') === 'active',
    state: `${of('ActiveState')} (${of('SubState')})`,
    status: of('StatusText') || null,
    since: seconds > 0 ? momentText(seconds * SECOND_MS) : null,
    pid: Number(of('MainPID')) || null,
    restarts: Number(of('NRestarts')) || 0,
  };
}
