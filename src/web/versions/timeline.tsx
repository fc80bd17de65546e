/** Lists the versions of a record, newest first: author, time and validity. */
import type { ListedVersion } from '../api/answers.ts';
import { Badge, Situation } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Changes, type ChangesProps } from '../ui/changes.tsx';
import { dayText, momentText, numberText } from '../words.ts';
import { currentOf, validityText } from './differences.ts';

export interface TimelineProps {
  /** Oldest first, in the order of the API. */
  readonly versions: readonly ListedVersion[];
  /** The version whose content is shown. */
  readonly currentVersion: string;
  readonly onShow: (versao: string) => void;
  readonly textOf?: ChangesProps['textOf'];
}

export function Timeline({ versions, currentVersion, onShow, textOf }: TimelineProps) {
  const current = currentOf(versions);
  return (
    <ol class="versions">
      {versions.toReversed().map((version) => (
        <li key={version.versao} class={version.versao === currentVersion ? 'shown' : ''}>
          <div class="versions-head">
            <Button
              kind="bare"
              small
              pressed={version.versao === currentVersion}
              onPress={() => onShow(version.versao)}
            >
              Versão {version.versao}
            </Button>
            <Situation situacao={version.situacao} />
            {version === current && version.situacao === 'ATIVADO' && <Badge>Vigente</Badge>}
          </div>
          <p>{sentence(validityText(version, dayText))}</p>
          <p class="muted">
            Feita em {momentText(version.madeAt)} por{' '}
            <Author name={version.madeByName} number={version.madeBy} />
            {version.proposedBy !== null && (
              <>
                , proposto por <Author name={version.proposedByName} number={version.proposedBy} />
              </>
            )}
            {version.deactivatedAt !== null && (
              <>
                ; desativada em {momentText(version.deactivatedAt)} por{' '}
                <Author name={version.deactivatedByName} number={version.deactivatedBy ?? ''} />
              </>
            )}
            .
          </p>
          {version.changes.length > 0 && <Changes changes={version.changes} {...(textOf && { textOf })} />}
        </li>
      ))}
    </ol>
  );
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Shows name and number of the author; `sistema` and `linha de comando` have no number. */
const Author = ({ name, number }: { readonly name: string | null; readonly number: string }) => (
  <>
    <bdi>{name ?? numberText(number)}</bdi>
    {name !== null && ` (${numberText(number)})`}
  </>
);
