import type { Run } from '../api/answers.ts';
import type { Tone } from '../ui/alert.tsx';
import { Badge } from '../ui/badge.tsx';
import type { IconName } from '../ui/icon.tsx';

const WORDS: Readonly<Record<Run['state'], readonly [text: string, tone: Tone | 'muted', icon: IconName]>> = {
  queued: ['Preparando', 'calm', 'clock'],
  running: ['Em andamento', 'calm', 'clock'],
  resting: ['Descansando', 'warn', 'clock'],
  paused: ['Parado', 'warn', 'alert'],
  done: ['Terminado', 'good', 'check'],
  failed: ['Falhou', 'bad', 'cross'],
  cancelled: ['Cancelado', 'muted', 'dash'],
};

/** Shows the state of a run. A run that left records open is not shown as a success. */
export function RunBadge({ run: { state, refused, uncertain } }: { readonly run: Run }) {
  const [text, tone, icon] = WORDS[state];
  const isOpen = state === 'done' && refused + uncertain > 0;
  return (
    <Badge tone={isOpen ? 'warn' : tone} icon={isOpen ? 'alert' : icon}>
      {text}
    </Badge>
  );
}
