/** What an operator consists of, to be filled in: a new one, a new version, or a version put right. */
import type { JSX } from 'preact';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { COUNTRIES } from '../ui/countries.ts';
import { DayInput } from '../ui/day-input.tsx';
import { Input } from '../ui/field.tsx';
import { missing, type OperatorValues, requestOf, valuesOf } from './form-values.ts';
import { Identifications, type OperatorFormState } from './identifications.tsx';
import { MEMBERS, type Operator, pathOf } from './operator.ts';

export type OperatorFormMode = 'novo' | 'versao' | 'retificar';

export interface OperatorFormProps {
  readonly cpfCnpjRaiz: string;
  readonly mode: OperatorFormMode;
  /** The version that it begins from. */
  readonly from?: Operator;
  readonly onSaved: (operator: Operator) => void;
  readonly onCancel: () => void;
}

export function OperatorForm({ cpfCnpjRaiz, mode, from, onSaved, onCancel }: OperatorFormProps): JSX.Element {
  const keep = ['operador', mode, cpfCnpjRaiz, from?.codigo, from?.versao].join('-');
  const { formRef, ...form } = useForm<OperatorValues>(valuesOf(from), { keep });
  const save = async (): Promise<void> => {
    // Without a country there is no path to send it to.
    if (form.values.codigoPais === '') return form.refuse(missing(form.values));
    const saved = await form.submit((values) => send(values, { cpfCnpjRaiz, mode, ...(from && { from }) }));
    if (saved !== undefined) onSaved(saved);
  };
  return (
    <form
      ref={formRef}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <ErrorAlert error={form.error} />
      <OperatorFields {...{ form, mode }} />
      <Actions>
        <Button type="submit" kind="primary" busy={form.busy}>
          Salvar
        </Button>
        <Button
          onPress={() => {
            form.reset();
            onCancel();
          }}
        >
          Cancelar
        </Button>
      </Actions>
    </form>
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
        <Input
          label={MEMBERS.codigoSubdivisaoPais}
          code
          placeholder={codigoPais === '' ? 'CN-GD' : `${codigoPais}-…`}
          help="Estado, província ou região."
          {...form.field('codigoSubdivisaoPais')}
        />
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
        {mode === 'versao' && (
          <DayInput
            label="Vale desde"
            help="Vazio: a partir de agora. Um dia passado faz uma versão retroativa."
            {...form.field('dataReferencia')}
          />
        )}
      </div>
      <Identifications form={form} />
    </>
  );
}

type Sending = Pick<OperatorFormProps, 'cpfCnpjRaiz' | 'mode' | 'from'>;

function send(values: OperatorValues, { cpfCnpjRaiz, mode, from }: Sending) {
  const { codigoPais, dataReferencia } = values;
  const body = requestOf(values);
  if (mode === 'novo' || from === undefined) return api.post<Operator>(pathOf(cpfCnpjRaiz, codigoPais), body);
  const { codigo, versao } = from;
  if (mode === 'retificar') return api.put<Operator>(pathOf(cpfCnpjRaiz, codigoPais, codigo, versao), body);
  return dataReferencia === ''
    ? api.put<Operator>(pathOf(cpfCnpjRaiz, codigoPais, codigo), body)
    : api.post<Operator>(pathOf(cpfCnpjRaiz, codigoPais, codigo, dataReferencia), body);
}
