/** One value for many products: chosen, looked at product by product, sent as new versions. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useOneAtATime } from '../../api/use-one-at-a-time.ts';
import { ValueField } from '../../produtos/form/value-field.tsx';
import { Notice } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { counted } from '../../words.ts';
import { nameOf } from '../describe.ts';
import { Preview } from './preview.tsx';
import {
  type Fillable,
  type Fills,
  type Rules,
  type Waiting,
  fillableIn,
  isReady,
  planOf,
  toSend,
} from './plan.ts';
import { SendingCard } from './sending-card.tsx';
import { useSending } from './use-sending.ts';

export interface FillCardProps {
  readonly waiting: readonly Waiting[];
  readonly rules: Rules;
  /** Today, by the clock of the server. */
  readonly day: string;
  readonly onSent: () => void;
}

export function FillCard({ waiting, rules, day, onSent }: FillCardProps): JSX.Element {
  const [fills, setFills] = useState<Fills>({});
  const [isAsking, setAsking] = useState(false);
  const sending = useSending();
  const fillable = useMemo(() => fillableIn(waiting, rules), [waiting, rules]);
  const plans = useMemo(() => planOf(waiting, rules, day, fills), [waiting, rules, day, fills]);
  const ready = plans.filter(isReady);
  const send = useOneAtATime()(async (): Promise<void> => {
    setAsking(false);
    await sending.send(ready.map(toSend));
  });
  if (sending.state !== 'not yet') return <SendingCard {...sending} onClose={onSent} />;
  return (
    <Card title="Preencher em vários de uma vez">
      <div class="stack">
        {fillable.length > 0 && <Fields {...{ fillable, fills }} onFills={setFills} />}
        {fillable.length === 0 && (
          <p class="muted">Nada que um mesmo valor resolva em vários: abra cada produto pela lista acima.</p>
        )}
        <Preview plans={plans} />
        <div>
          <Button kind="primary" disabled={ready.length === 0} onPress={() => setAsking(true)}>
            Gravar {counted(ready.length, 'nova versão', 'novas versões')}
          </Button>
        </div>
      </div>
      {isAsking && (
        <Confirm
          title={`Gravar ${counted(ready.length, 'nova versão', 'novas versões')}?`}
          action="Gravar"
          onConfirm={() => void send()}
          onClose={() => setAsking(false)}
        >
          <p>
            Cada produto ganha uma nova versão com o que foi preenchido, e fica ativo. As versões de antes
            continuam na história.
          </p>
          {ready.length < plans.length && (
            <Notice tone="calm">
              {counted(plans.length - ready.length, 'produto fica como está', 'produtos ficam como estão')}:
              ainda falta algo neles.
            </Notice>
          )}
        </Confirm>
      )}
    </Card>
  );
}

interface FieldsProps {
  readonly fillable: readonly Fillable[];
  readonly fills: Fills;
  readonly onFills: (change: (before: Fills) => Fills) => void;
}

function Fields({ fillable, fills, onFills }: FieldsProps): JSX.Element {
  const chosen = fillable.filter(({ codigo }) => codigo in fills);
  const others = fillable.filter(({ codigo }) => !(codigo in fills));
  const drop = (codigo: string): void =>
    onFills((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== codigo)));
  return (
    <>
      <Combobox
        label="Atributo a preencher"
        help="Os que faltam em mais produtos vêm primeiro; escolha um ou vários."
        options={others.map((one) => ({
          value: one.codigo,
          label: `${nameOf(one.detail)}: em ${counted(one.products, 'produto', 'produtos')}`,
        }))}
        value=""
        onChange={(codigo) => codigo !== '' && onFills((before) => ({ ...before, [codigo]: '' }))}
      />
      {chosen.map(({ codigo, detail, isSeveral }) => (
        <div key={codigo} class="mend-field">
          <ValueField
            detail={detail}
            required
            value={fills[codigo] ?? ''}
            onChange={(value) => onFills((before) => ({ ...before, [codigo]: value }))}
          />
          <Button small kind="bare" label={`Não preencher ${nameOf(detail)}`} onPress={() => drop(codigo)}>
            Não preencher
          </Button>
          {isSeveral && <p class="muted">Aceita vários valores; aqui os produtos ficam só com este.</p>}
        </div>
      ))}
    </>
  );
}
