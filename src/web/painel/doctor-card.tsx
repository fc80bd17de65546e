import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { Finding } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { Badge } from '../ui/badge.tsx';
import { Card, Fetched } from '../ui/page.tsx';
import { counted } from '../words.ts';

const LEVELS = {
  error: { label: 'erro', tone: 'bad', icon: 'alert' },
  warning: { label: 'alerta', tone: 'warn', icon: 'alert' },
  notice: { label: 'aviso', tone: 'calm', icon: 'info' },
  ok: { label: 'bom', tone: 'good', icon: 'check' },
} as const;
const ORDER = Object.keys(LEVELS);

/** What the doctor finds, in short: what is not as it should be, and what to do. */
export function DoctorCard(): JSX.Element {
  const findings = useResource<readonly Finding[]>('/appliance/api/doctor');
  return (
    <Card
      title="Diagnóstico"
      actions={
        <Link class="button quiet small" href="/administracao?aba=diagnostico">
          Ver diagnóstico
        </Link>
      }
    >
      <Fetched of={findings}>{(all) => <Findings of={all} />}</Fetched>
    </Card>
  );
}

function Findings({ of: all }: { readonly of: readonly Finding[] }): JSX.Element {
  const bad = all
    .filter(({ level }) => level !== 'ok')
    .toSorted((one, other) => ORDER.indexOf(one.level) - ORDER.indexOf(other.level));
  const good = all.length - bad.length;
  return (
    <>
      <p class="muted">
        {counted(good, 'conferência em ordem', 'conferências em ordem')} de {all.length}.
      </p>
      <ul class="panel-rows">
        {bad.map(({ check, level, message, remedy }) => (
          <li key={check}>
            <Badge tone={LEVELS[level].tone} icon={LEVELS[level].icon}>
              {LEVELS[level].label}
            </Badge>{' '}
            {message}
            {remedy !== null && <p class="muted">{remedy}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}
