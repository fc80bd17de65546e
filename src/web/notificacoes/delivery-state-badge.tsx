import type { Tone } from '../ui/alert.tsx';
import { Badge } from '../ui/badge.tsx';
import type { IconName } from '../ui/icon.tsx';
import type { DeliveryState } from './addresses.ts';

interface BadgeStyle {
  readonly label: string;
  readonly tone: Tone | 'muted';
  readonly icon: IconName;
}

export const STATES: Readonly<Record<DeliveryState, BadgeStyle>> = {
  pending: { label: 'Pendente', tone: 'calm', icon: 'clock' },
  delivered: { label: 'Entregue', tone: 'good', icon: 'check' },
  failed: { label: 'Falhou', tone: 'bad', icon: 'alert' },
  cancelled: { label: 'Cancelada', tone: 'muted', icon: 'cross' },
};

/** Shows the state of a delivery. */
export const DeliveryStateBadge = ({ state }: { readonly state: DeliveryState }) => {
  const { label, tone, icon } = STATES[state];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
};
