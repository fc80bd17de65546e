/** What an operator consists of, to be filled in: a new one, a new version, or a version put right. */
import type { JSX } from 'preact';
import { useForm } from '../api/use-form.ts';
import { Combobox } from '../ui/combobox.tsx';
import { COUNTRIES } from '../ui/countries.ts';
import { DayInput } from '../ui/day-input.tsx';
import { Input } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { missing, type OperatorValues, valuesOf } from './form-values.ts';
import { Identifications, type OperatorFormState } from './identifications.tsx';
import { MEMBERS } from './operator.ts';
import { type OperatorFormMode, type Saved, send, type Sending } from './send.ts';
import { SubdivisionField } from './subdivision-field.tsx';

export interface OperatorFormProps extends Sending {
  readonly onSaved: (operator: Saved) => void;
  readonly onCancel: () => void;
}

export function OperatorForm({ cpfCnpjRaiz, mode, from, onSaved, onCancel }: OperatorFormProps): JSX.Element {
  const keep = ['operador', mode, cpfCnpjRaiz, from?.codigo, from?.versao].join('-');
  const { formRef, ...form } = useForm<OperatorValues>(valuesOf(from), { keep });
  const save = async (): Promise<void> => {
    const { codigoPais, dataReferencia } = form.latest();
    // Without a country there is no path to send it to; an item of a batch does not say which members it lacks.
    const lacks =
      codigoPais === '' || (mode === 'novo' && dataReferencia !== '') ? missing(form.latest()) : [];
    if (lacks.length > 0) return form.refuse(lacks);
    const saved = await form.submit((values) => send(values, { cpfCnpjRaiz, mode, ...(from && { from }) }));
    if (saved !== undefined) onSaved(saved);
  };
  return (
    <Form
      form={{ ...form, formRef }}
      onSave={save}
      onCancel={() => {
        form.reset();
        onCancel();
      }}
    >
      <OperatorFields {...{ form, mode }} />
    </Form>
  );
}

function OperatorFields({
  form,
  mode,
}: {
  readonly form: OperatorFormState;
  readonly mode: OperatorFormMode;
}): JSX.Element {
  const { codigoPais } = form.values;
  return (
    <>
      <div class="operator-fields">
        <div class="whole">
          <Input label={MEMBERS.nome} required {...form.field('nome')} />
        </div>
        <Combobox
          label={MEMBERS.codigoPais}
          required
          placeholder="Sigla ou nome"
          options={COUNTRIES}
          disabled={mode !== 'novo'}
          {...(mode !== 'novo' && { help: 'O país de um operador não muda.' })}
          {...form.field('codigoPais')}
        />
        <SubdivisionField codigoPais={codigoPais} {...form.field('codigoSubdivisaoPais')} />
        <div class="whole">
          <Input label={MEMBERS.logradouro} required max={70} {...form.field('logradouro')} />
        </div>
        <Input label={MEMBERS.nomeCidade} required max={35} {...form.field('nomeCidade')} />
        <Input label={MEMBERS.cep} code max={9} {...form.field('cep')} />
        <Input
          label={MEMBERS.tin}
          code
          max={35}
          help="Identificação fiscal; única entre os operadores ativos."
          {...form.field('tin')}
        />
        <Input label={MEMBERS.codigoInterno} code max={35} {...form.field('codigoInterno')} />
        <Input label={MEMBERS.email} max={70} {...form.field('email')} />
        {mode !== 'retificar' && (
          <DayInput
            label="Vale desde"
            help={
              mode === 'novo'
                ? 'Vazio: a partir de agora. Pode ser um dia passado.'
                : 'Vazio: a partir de agora. Um dia passado faz uma versão retroativa.'
            }
            {...form.field('dataReferencia')}
          />
        )}
      </div>
      <Identifications form={form} />
    </>
  );
}
