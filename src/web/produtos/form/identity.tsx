/** What every product has: name, text, NCM, modality, codes of the company. */
import type { JSX } from 'preact';
import type { ProductForm } from '../../api/answers.ts';
import type { Form } from '../../api/use-form.ts';
import { DayInput } from '../../ui/day-input.tsx';
import { TextArea } from '../../ui/field.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { counted } from '../../words.ts';
import { MODALIDADES } from '../product.ts';
import { type FormMode, type FormValues, internalCodes } from './form-values.ts';
import { NcmField } from './ncm-field.tsx';

/** As the server has them (contract section 4). */
const DESCRICAO_MAX = 3700;
const INTERNAL_CODE_MAX = 60;

export function Identity({
  form,
  rules,
  mode,
}: {
  readonly form: Form<FormValues>;
  readonly rules: ProductForm;
  readonly mode: FormMode;
}): JSX.Element {
  const isLocked = mode === 'retificar';
  const locked = isLocked ? { disabled: true, help: 'A retificação não a muda.' } : { required: true };
  const codes = internalCodes(form.values.codigosInterno).length;
  return (
    <div class="product-fields">
      <div class="wide">
        <TextArea
          label="Denominação"
          required
          rows={2}
          max={rules.denominacaoMax}
          {...form.field('denominacao')}
        />
      </div>
      <div class="wide">
        <TextArea label="Descrição" rows={3} max={DESCRICAO_MAX} {...form.field('descricao')} />
      </div>
      <NcmField {...locked} hasTable={rules.attributeTable !== null} {...form.field('ncm')} />
      <Select {...locked} label="Modalidade" options={modalities(rules)} {...form.field('modalidade')} />
      <TextArea
        label="Códigos internos"
        rows={3}
        code
        help={`Um por linha, até ${INTERNAL_CODE_MAX} caracteres cada.${codes === 0 ? '' : ` ${counted(codes, 'código', 'códigos')}.`}`}
        {...form.field('codigosInterno')}
      />
      {(mode === 'novo' || mode === 'copia') && (
        <DayInput
          label="Válido desde"
          help="Só para incluir com vigência a partir de um dia passado; em branco, vale a partir de hoje."
          {...form.field('dataReferencia')}
        />
      )}
    </div>
  );
}

const modalities = ({ modalidades }: ProductForm): readonly Option<FormValues['modalidade']>[] => [
  { value: '', label: 'Escolha…' },
  ...modalidades.toReversed().map((value) => ({
    value,
    label: MODALIDADES[value] ?? value,
  })),
];
