/** The dialog that adds or changes a company. */
import type { JSX } from 'preact';
import type { Company } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { Input } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { COMPANIES } from './words.ts';
import { plainNumber } from './numbers.ts';
import { useNumberCheck } from './use-number-check.ts';

export interface CompanyDialogProps {
  /** Absent for a new company. */
  readonly company: Company | undefined;
  readonly onSaved: (company: Company) => void;
  readonly onClose: () => void;
}

export function CompanyDialog({ company, onSaved, onClose }: CompanyDialogProps): JSX.Element {
  const isNew = company === undefined;
  const form = useForm({
    cpfCnpjRaiz: company?.cpfCnpjRaiz ?? '',
    nome: company?.nome ?? '',
    cnpj: company?.cnpj ?? '',
  });
  const faultsOf = useNumberCheck();
  const save = async (): Promise<void> => {
    const { cpfCnpjRaiz, cnpj } = form.values;
    const faults = faultsOf([
      { field: 'cpfCnpjRaiz', kind: 'raiz', typed: cpfCnpjRaiz },
      ...(cnpj.trim() === '' ? [] : [{ field: 'cnpj', kind: 'cnpj', typed: cnpj } as const]),
    ]);
    if (faults.length > 0) return form.refuse(faults);
    const saved = await form.submit((values) =>
      api.post<Company>(COMPANIES, {
        cpfCnpjRaiz: plainNumber(values.cpfCnpjRaiz),
        nome: values.nome.trim(),
        ...(values.cnpj.trim() !== '' && { cnpj: plainNumber(values.cnpj) }),
      }),
    );
    if (saved !== undefined) onSaved(saved);
  };
  return (
    <FormDialog
      title={isNew ? 'Nova empresa' : `Alterar ${company.nome}`}
      form={form}
      onClose={onClose}
      onSave={save}
    >
      <Input
        label="CPF/CNPJ raiz"
        required
        code
        disabled={!isNew}
        help="Os 8 primeiros do CNPJ, ou um CPF inteiro."
        {...form.field('cpfCnpjRaiz')}
      />
      <Input label="Nome" required max={150} {...form.field('nome')} />
      <Input
        label="CNPJ da matriz"
        code
        help="Opcional; 14 posições, começando pela raiz."
        {...form.field('cnpj')}
      />
    </FormDialog>
  );
}
