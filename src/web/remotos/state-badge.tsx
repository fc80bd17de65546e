import { STANDING_WORDS } from '../../catalogue/members/standing.ts';
import { Badge } from '../ui/badge.tsx';
import { type RemoteState, STATES } from './words.ts';

/** Shows the state of a record at a remote; a tooltip explains it. */
export const StateBadge = ({ state }: { readonly state: RemoteState }) => (
  <span title={STATES[state].meaning}>
    <Badge tone={STATES[state].tone} icon={STATES[state].icon}>
      {STANDING_WORDS[state]}
    </Badge>
  </span>
);
