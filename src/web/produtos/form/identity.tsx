/** Fields that every product has: name, text, NCM, modality, codes of the company. */
import type { ProductForm } from '../../api/answers.ts';
import type { Form } from '../../api/use-form.ts';
import { DayInput } from '../../ui/typed-input.tsx';
import { TextArea } from '../../ui/field.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { withCount } from '../../words.ts';
import type { Member } from '../../../catalogue/members/member.ts';
import { PRODUCT, type WrittenName } from '../../../catalogue/members/product.ts';
import { WRITTEN } from '../product.ts';
import { type FormMode, type FormValues, internalCodes } from './form-values.ts';
import { NcmField } from './ncm-field.tsx';

interface IdentityProps {
  readonly form: Form<FormValues>;
  readonly rules: ProductForm;
  readonly mode: FormMode;
}

export const Identity = (props: IdentityProps) => (
  <div class="product-fields">
    {WRITTEN.map((name) => (
      <div key={name} class={PRODUCT[name].kind === 'text' ? 'wide' : ''}>
        <WrittenField {...props} name={name} />
      </div>
    ))}
    {(props.mode === 'novo' || props.mode === 'copia') && (
      <DayInput
        label="Válido desde"
        help="Só para incluir com vigência a partir de um dia passado; em branco, vale a partir de hoje."
        {...props.form.field('dataReferencia')}
      />
    )}
  </div>
);

function WrittenField({ form, rules, mode, name }: IdentityProps & { readonly name: WrittenName }) {
  const { heading, kind, required, fixed }: Member = PRODUCT[name];
  const isLocked = fixed === true && mode === 'retificar';
  const field = {
    label: heading,
    ...(isLocked
      ? { disabled: true, help: 'A retificação não a muda.' }
      : { required: required !== undefined }),
    ...form.field(name),
  };
  if (name === 'ncm') return <NcmField {...field} hasTable={rules.attributeTable !== null} />;
  if (kind === 'choice') return <Select {...field} options={choicesOf(name, rules)} />;
  if (kind === 'text')
    return <TextArea {...field} rows={required === 'always' ? 2 : 3} max={maxOf(name, rules)} />;
  const codes = internalCodes(form.values[name]).length;
  const help = `Um por linha, até ${maxOf(name, rules)} caracteres cada.${codes === 0 ? '' : ` ${withCount(codes, 'código', 'códigos')}.`}`;
  return <TextArea {...field} rows={3} code help={help} />;
}

/** Returns the maximum number of characters of a member, or of each of its texts. */
export function maxOf(name: WrittenName, { denominacaoMax }: ProductForm): number {
  const { max }: Member = PRODUCT[name];
  return typeof max === 'number' ? max : denominacaoMax;
}

export function choicesOf(name: WrittenName, { modalidades }: ProductForm): readonly Option<string>[] {
  const { choices = {} }: Member = PRODUCT[name];
  const values = name === 'modalidade' ? modalidades : Object.keys(choices);
  return [
    { value: '', label: 'Escolha…' },
    ...values.toReversed().map((value) => ({ value, label: choices[value] ?? value })),
  ];
}
