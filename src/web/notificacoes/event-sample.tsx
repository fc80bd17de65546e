import type { JSX } from 'preact';
import type { EventType } from '../api/answers.ts';
import { Snippet } from '../ui/copy-button.tsx';

/** Shows the content of an event type and when it occurs, or that the type is unknown. */
export function EventSample({
  eventType,
}: {
  readonly eventType: EventType | undefined;
}): JSX.Element | null {
  if (eventType === undefined) return null;
  const { title, automatic, invented, sample } = eventType;
  return (
    <div class="notif-sample">
      <p class="muted">
        {title}.{' '}
        {automatic
          ? 'O catálogo publica este evento automaticamente.'
          : 'De outro módulo do Portal Único: aqui um administrador o publica manualmente.'}{' '}
        {invented === 'values' ? 'Os valores do exemplo são inventados.' : 'O exemplo é inventado.'}
      </p>
      <Snippet label="Exemplo do corpo" text={JSON.stringify(sample, null, 2)} />
    </div>
  );
}
