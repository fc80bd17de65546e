/** The additional identifications of an operator: a number and the issuing agency (UN/EDIFACT 3055). */
import type { JSX } from 'preact';
import type { AdditionalIdentification } from '../api/answers.ts';
import type { Form } from '../api/use-form.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import type { OperatorValues } from './form-values.ts';

export type OperatorFormState = Omit<Form<OperatorValues>, 'formRef'>;

const LIST = 'identificacoesAdicionais';

export function Identifications({ form }: { readonly form: OperatorFormState }): JSX.Element {
  const all = form.values[LIST];
  const set = (
    next: (before: readonly AdditionalIdentification[]) => readonly AdditionalIdentification[],
    ...mends: readonly string[]
  ): void => form.set((before) => ({ [LIST]: next(before[LIST]) }), ...mends);
  const change = (index: number, changed: Partial<AdditionalIdentification>): void =>
    set(
      (before) =>
        before.map((additionalIdentification, position) =>
          position === index ? { ...additionalIdentification, ...changed } : additionalIdentification,
        ),
      ...Object.keys(changed).map((member) => `${LIST}/${index}/${member}`),
    );
  return (
    <fieldset class="stack">
      <legend>Identificações adicionais</legend>
      {all.map(({ numero, codigo }, index) => (
        // Two identifications may be equal while the user types.
        <div class="operator-identification" key={index}>
          <Input
            label={`Número ${index + 1}`}
            code
            max={35}
            required
            value={numero}
            error={form.errorAt(`${LIST}/${index}/numero`)}
            onChange={(text) => change(index, { numero: text })}
          />
          <Input
            label={`Agência ${index + 1} (UN/EDIFACT 3055)`}
            code
            max={3}
            required
            value={codigo}
            error={form.errorAt(`${LIST}/${index}/codigo`)}
            onChange={(text) => change(index, { codigo: text })}
          />
          <Button
            kind="bare"
            label={`Retirar a identificação ${index + 1}`}
            onPress={() => set((before) => before.filter((_, position) => position !== index))}
          >
            Retirar
          </Button>
        </div>
      ))}
      <div>
        <Button small icon="plus" onPress={() => set((before) => [...before, { numero: '', codigo: '' }])}>
          Mais uma identificação
        </Button>
      </div>
    </fieldset>
  );
}
