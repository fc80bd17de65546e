/** The form of an operator: for a new one, a new version, or a rectification. */
import { OPERATOR } from '../../catalogue/members/foreign-operator.ts';
import { withFirst } from '../../catalogue/members/member.ts';
import { useRight } from '../api/session.ts';
import { useGo } from '../api/use-go.ts';
import { addressOfProposal } from '../aprovar/propose-record.ts';
import { toast } from '../ui/toast.tsx';
import { useForm, type Form as FormOf, type FieldBinding } from '../api/use-form.ts';
import { Combobox } from '../ui/combobox.tsx';
import { COUNTRIES } from '../ui/countries.ts';
import { DayInput } from '../ui/typed-input.tsx';
import { Input } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { NewerVersions } from '../versions/newer-versions.tsx';
import { useNewer } from '../versions/use-newer.ts';
import type { AdditionalIdentification, Subdivision } from '../api/answers.ts';
import { Button } from '../ui/button.tsx';
import { useResource } from '../api/use-resource.ts';
import { missingProblems, type OperatorValues, valuesOf } from './form-values.ts';
import { isRequired, TEXTS, versionsPathOf } from './operator.ts';
import { type OperatorFormMode, type Saved, proposeOperator, send, type Sending } from './send.ts';

export interface OperatorFormProps extends Sending {
  /**
   * The version in force when the form was opened; `from` may be another version. Absent for a new operator.
   */
  readonly inForce?: string | undefined;
  readonly onSaved: (operator: Saved) => void;
  readonly onCancel: () => void;
}

export function OperatorForm(props: OperatorFormProps) {
  const { cpfCnpjRaiz, mode, from, inForce = '', onSaved, onCancel } = props;
  const mayApprove = useRight('aprovacao', cpfCnpjRaiz);
  const go = useGo();
  const storageKey = ['operador', mode, cpfCnpjRaiz, from?.codigo, from?.versao].join('-');
  const { formRef, ...form } = useForm<OperatorValues>(valuesOf(from), { storageKey });
  const newer = useNewer(
    from && {
      recordName: 'Este operador',
      rectifies: mode === 'retificar',
      versao: mode === 'retificar' ? from.versao : inForce,
      path: versionsPathOf(from),
    },
  );
  const save = async (): Promise<void> => {
    const { codigoPais, dataReferencia } = form.latest();
    // The request path needs the country, and the error of a batch item does not name missing members.
    const problems =
      codigoPais === '' || (mode === 'novo' && dataReferencia !== '') ? missingProblems(form.latest()) : [];
    if (problems.length > 0) return form.refuse(problems);
    const sending = { cpfCnpjRaiz, mode, ...(from && { from }) };
    if (!mayApprove) {
      const proposed = await form.submit((values) =>
        newer.unlessWritten(() => proposeOperator(values, sending)),
      );
      if (proposed === undefined) return;
      toast(`Proposta ${proposed.id} enviada; quem pode aprovar a vê em Aprovar.`);
      go(addressOfProposal(cpfCnpjRaiz, proposed.id));
      return;
    }
    const saved = await form.submit((values) => newer.unlessWritten(() => send(values, sending)));
    if (saved !== undefined) onSaved(saved);
  };
  return (
    <Form
      form={{ ...form, formRef }}
      {...(!mayApprove && { action: 'Propor' })}
      onSave={save}
      onCancel={() => {
        form.reset();
        onCancel();
      }}
    >
      <NewerVersions newer={newer} onSave={save} />
      <OperatorFields form={form} mode={mode} />
    </Form>
  );
}

/** Order of the fields: the subdivision follows its country. */
const FIELDS = withFirst(['nome', 'codigoPais', 'codigoSubdivisaoPais'], TEXTS);

/** Fields with the full width of the form. */
const WIDE_FIELDS: readonly string[] = ['nome', 'logradouro'];

interface FieldsProps {
  readonly form: OperatorFormState;
  readonly mode: OperatorFormMode;
}

function TextField({ form, mode, name }: FieldsProps & { readonly name: (typeof TEXTS)[number] }) {
  const field = { label: OPERATOR[name].heading, required: isRequired(name), ...form.field(name) };
  if (name === 'codigoPais')
    return (
      <Combobox
        placeholder="Sigla ou nome"
        options={COUNTRIES}
        disabled={mode !== 'novo'}
        {...(mode !== 'novo' && { help: 'O país de um operador não muda.' })}
        {...field}
      />
    );
  if (name === 'codigoSubdivisaoPais')
    return <SubdivisionField codigoPais={form.values.codigoPais} {...form.field(name)} />;
  const { max, kind } = OPERATOR[name];
  return (
    <Input
      code={kind === 'code'}
      {...(typeof max === 'number' && { max })}
      {...(name === 'tin' && { help: 'Identificação fiscal; única entre os operadores ativos.' })}
      {...field}
    />
  );
}

const OperatorFields = ({ form, mode }: FieldsProps) => (
  <>
    <div class="operator-fields">
      {FIELDS.map((name) => (
        <div key={name} class={WIDE_FIELDS.includes(name) ? 'whole' : ''}>
          <TextField name={name} form={form} mode={mode} />
        </div>
      ))}
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

type OperatorFormState = Omit<FormOf<OperatorValues>, 'formRef'>;

const LIST = 'identificacoesAdicionais';

/** The additional identifications of an operator: a number and the issuing agency (UN/EDIFACT 3055). */
function Identifications({ form }: { readonly form: OperatorFormState }) {
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

/**
 * A field for the subdivision of the selected country, found by code and name. A country without a list
 * accepts any text.
 */
function SubdivisionField({ codigoPais, ...field }: FieldBinding<string> & { readonly codigoPais: string }) {
  const { value: subdivisions = [] } = useResource<readonly Subdivision[]>(
    /^[A-Z]{2}$/.test(codigoPais) ? `/appliance/api/subdivisions?codigoPais=${codigoPais}` : undefined,
  );
  return (
    <Combobox
      label={OPERATOR.codigoSubdivisaoPais.heading}
      free
      placeholder={codigoPais === '' ? 'CN-GD' : `${codigoPais}-… ou o nome`}
      help={
        codigoPais === ''
          ? 'Estado, província ou região; escolha antes o país.'
          : 'Estado, província ou região.'
      }
      options={subdivisions.map(({ codigo, nome }) => ({ value: codigo, label: nome }))}
      {...field}
    />
  );
}
