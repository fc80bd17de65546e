/** Fields of the manufacturer: known or not, country, and identification (contract section 4). */
import { Link } from 'wouter-preact';
import { addressFor } from '../api/use-company.ts';
import { Combobox } from '../ui/combobox.tsx';
import { COUNTRIES, countryName } from '../ui/countries.ts';
import { Input } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { OperatorField } from './fields.tsx';
import { type Maker, identifyingField } from './maker.ts';

export interface MakerFieldsProps {
  readonly cpfCnpjRaiz: string;
  readonly maker: Maker;
  readonly onChange: (changed: Partial<Maker>) => void;
  readonly errorAt: (member: string) => string | undefined;
}

const KNOWN = [
  { value: 'true', label: 'Sim' },
  { value: 'false', label: 'Não' },
] as const;

export function MakerFields({ cpfCnpjRaiz, maker, onChange, errorAt }: MakerFieldsProps) {
  const name = identifyingField(maker);
  return (
    <div class="link-fields">
      <Select
        label="Conhecido"
        options={KNOWN}
        value={maker.conhecido}
        error={errorAt('conhecido')}
        help={maker.conhecido === 'false' ? 'De um fabricante desconhecido basta o país.' : undefined}
        onChange={(conhecido) => onChange({ conhecido })}
      />
      <Combobox
        label="País"
        required
        placeholder="Sigla ou nome"
        options={COUNTRIES}
        value={maker.codigoPais}
        error={errorAt('codigoPais')}
        // An operator belongs to one country.
        onChange={(codigoPais) => onChange({ codigoPais, codigoOperadorEstrangeiro: '' })}
      />
      {name === 'cpfCnpjFabricante' && (
        <Input
          label="CPF/CNPJ do fabricante"
          required
          code
          value={maker.cpfCnpjFabricante}
          error={errorAt(name)}
          help="11 dígitos de um CPF, ou o CNPJ inteiro."
          onChange={(cpfCnpjFabricante) => onChange({ cpfCnpjFabricante })}
        />
      )}
      {name === 'codigoOperadorEstrangeiro' && (
        <OperatorField
          key={maker.codigoPais}
          label="Operador estrangeiro"
          required
          cpfCnpjRaiz={cpfCnpjRaiz}
          codigoPais={maker.codigoPais}
          value={maker.codigoOperadorEstrangeiro}
          error={errorAt(name)}
          help={
            <>
              Operadores ativos deste país ({countryName(maker.codigoPais)}).{' '}
              <Link href={`${addressFor('/operadores', cpfCnpjRaiz)}&novo=1`}>Incluir um novo</Link>
            </>
          }
          onChange={(codigoOperadorEstrangeiro) => onChange({ codigoOperadorEstrangeiro })}
        />
      )}
    </div>
  );
}
