/** Shows the impact of a table: changed NCMs and attributes, and products that would become invalid. */
import type { AttributeTableImpact, ListedAttributeTable } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { DayInput } from '../ui/typed-input.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { DifferenceView } from './difference.tsx';
import { InvalidProducts } from './invalid-products.tsx';
import { TABLES } from './words.ts';
import { hasDayForm } from '../words.ts';

export interface ImpactCardProps {
  readonly table: ListedAttributeTable;
  /** The day of the impact; '' means today. */
  readonly on: string;
  readonly onDay: (on: string) => void;
  /** Present when the table may be put in force. */
  readonly onActivate?: () => void;
}

export function ImpactCard({ table, on, onDay, onActivate }: ImpactCardProps) {
  const path = `${TABLES}/${table.id}/impact`;
  const hasDay = hasDayForm(on);
  const query = hasDay ? { on } : {};
  const impact = useResource<AttributeTableImpact>(path, { query });
  return (
    <Card
      title={`O que muda com a tabela ${table.versao}`}
      actions={
        <>
          <DownloadButton
            path={`${path}.csv${hasDay ? `?on=${on}` : ''}`}
            fallbackName={`impacto_tabela_${table.id}.csv`}
          >
            Baixar CSV
          </DownloadButton>
          {onActivate !== undefined && (
            <Button kind="primary" onPress={onActivate}>
              Ativar
            </Button>
          )}
        </>
      }
    >
      <div class="stack">
        <div class="filters">
          <DayInput
            label="Como seria em"
            value={on}
            onChange={onDay}
            help="Vazio: hoje. Em um dia futuro contam os pares que começam até lá."
          />
        </div>
        <ResourceView resource={impact} lines={8}>
          {({ difference, invalid, total }) => (
            <>
              <DifferenceView difference={difference} />
              <InvalidProducts products={invalid} total={total} />
            </>
          )}
        </ResourceView>
      </div>
    </Card>
  );
}
