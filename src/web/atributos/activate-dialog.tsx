/** Puts a table in force, now or on a day, after it shows how many products that would deactivate. */
import { useState } from 'preact/hooks';
import type { ActivationResult, AttributeTableImpact, ListedAttributeTable } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { useResource } from '../api/use-resource.ts';
import { Notice } from '../ui/alert.tsx';
import { DayInput } from '../ui/typed-input.tsx';
import { Input } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { ResourceView } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { Choice } from '../ui/select.tsx';
import { toast } from '../ui/toast.tsx';
import { withCount, dayText, hasDayForm } from '../words.ts';
import { TABLES } from './words.ts';

export interface ActivateDialogProps {
  readonly table: ListedAttributeTable;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const TIME_OPTIONS = [
  { value: 'now', label: 'Agora', hint: 'Responde quando todos os produtos foram conferidos.' },
  { value: 'day', label: 'Em um dia', hint: 'Às 00:05 desse dia, horário de Brasília.' },
] as const;

export function ActivateDialog({ table, onDone, onClose }: ActivateDialogProps) {
  const form = useForm<Values>({ when: 'now', on: '', expected: '' });
  const { when } = form.values;
  const isChosen = hasDay(form.values);
  const impact = useResource<AttributeTableImpact>(isChosen ? `${TABLES}/${table.id}/impact` : undefined, {
    query: dayOf(form.values),
  });
  // The field stays once the number was requested.
  const [wasBraked, setBraked] = useState(false);
  if (!wasBraked && form.error?.problems.some(({ place }) => place === 'expected') === true) setBraked(true);
  const activate = async (): Promise<void> => {
    const { when, on } = form.latest();
    if (!hasDay(form.latest())) return form.refuse([NO_DAY]);
    const result = await form.submit((values) =>
      api.post<ActivationResult>(`${TABLES}/${table.id}/activate`, bodyOf(values)),
    );
    if (result === undefined) return;
    toast(
      when === 'day'
        ? `A tabela ${table.versao} entra em vigor em ${dayText(on)}.`
        : `A tabela ${table.versao} está em vigor: ${withCount(result.deactivated, 'produto desativado', 'produtos desativados')}.`,
    );
    onDone();
  };
  return (
    <FormDialog
      title={`Ativar a tabela ${table.versao}`}
      action="Ativar"
      form={form}
      onClose={onClose}
      onSave={activate}
    >
      <Choice label="Quando" options={TIME_OPTIONS} {...form.field('when')} disabled={form.isBusy} />
      {when === 'day' && <DayInput label="Dia" required {...form.field('on')} />}
      {isChosen && (
        <ResourceView resource={impact} lines={1}>
          {({ total }) =>
            // The impact of another day does not apply to this one.
            impact.isLoading ? (
              <Skeleton lines={1} />
            ) : (
              <Notice tone={total === 0 ? 'good' : 'warn'}>
                {total === 0
                  ? 'Nenhum produto seria desativado.'
                  : `O sistema desativaria ${withCount(total, 'produto', 'produtos')}, e avisaria quem assina o evento catp-prod-desativado.`}
              </Notice>
            )
          }
        </ResourceView>
      )}
      {wasBraked && (
        <Input
          label="Quantos são desativados"
          help="Para confirmar, digite o número que está na mensagem de erro."
          inputMode="numeric"
          {...form.field('expected')}
        />
      )}
    </FormDialog>
  );
}

interface Values {
  readonly when: 'now' | 'day';
  /** A date as `yyyy-MM-dd`, or the typed text. */
  readonly on: string;
  /** The number of deactivated products, as the user types it. */
  readonly expected: string;
}

const hasDay = ({ when, on }: Values): boolean => when === 'now' || hasDayForm(on);

const dayOf = ({ when, on }: Values): { readonly on?: string } => (when === 'day' ? { on } : {});

const bodyOf = (values: Values): object => ({
  ...dayOf(values),
  ...(/^\d+$/.test(values.expected.trim()) && { expected: Number(values.expected) }),
});

const NO_DAY = { message: 'Informe o dia como dd/mm/aaaa.', code: null, place: 'on' } as const;
