/** Explains the reason, the current values of the products and the accepted values. */
import type { MendingReason } from '../api/answers.ts';
import { countText, withCount } from '../words.ts';
import { formInWords } from '../atributos/describe.ts';
import { BY_SYSTEM } from './mending.ts';

const RECEIVED_MAX = 5;

export function ReasonText(props: { readonly mendingReason: MendingReason; readonly toMend?: string }) {
  const { mendingReason, toMend = BY_SYSTEM } = props;
  const { message, received, count: products, alone, form } = mendingReason;
  return (
    <>
      <p>{message}</p>
      <p class="muted">
        {form !== null && `Aceita: ${formInWords(form)}. `}
        {received.length > 0 && `Agora: ${receivedInWords(received)}.`}
        {toMend === BY_SYSTEM &&
          alone < products &&
          ` ${withCount(products - alone, 'tem outro motivo', 'têm outro motivo')} também.`}
      </p>
      <Accepted mendingReason={mendingReason} />
    </>
  );
}

function receivedInWords(received: MendingReason['received']): string {
  const more = received.length - RECEIVED_MAX;
  const first = received
    .slice(0, RECEIVED_MAX)
    .map(({ value, count: times }) => `${value === '' ? 'nada' : `“${value}”`} (${countText(times)})`);
  return `${first.join(', ')}${more > 0 ? ` e mais ${withCount(more, 'valor', 'valores')}` : ''}`;
}

/** The message contains the first ten accepted values. */
const ACCEPTED_IN_MESSAGE = 10;

function Accepted({ mendingReason: { accepted, parts } }: { readonly mendingReason: MendingReason }) {
  const lists = [
    { heading: 'Todos os valores aceitos', accepted },
    ...parts.map(({ heading, accepted: ofPart }) => ({ heading: `${heading}: aceitos`, accepted: ofPart })),
  ].filter((list) => (list.accepted?.length ?? 0) > (parts.length > 0 ? 0 : ACCEPTED_IN_MESSAGE));
  return lists.length === 0 ? null : (
    <>
      {lists.map(({ heading, accepted: texts }) => (
        <details key={heading}>
          <summary>
            {heading} ({countText(texts?.length ?? 0)})
          </summary>
          <ul class="attributes-domain">
            {texts?.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}
