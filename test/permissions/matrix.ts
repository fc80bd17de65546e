/**
 * The permission matrix: the status of each operation for each kind of caller (contract section 2). Each
 * request is the example of the document. It is about company 12345678, which the representative represents
 * and the stranger does not, and about an import, a subscription and a delivery of the representative. A
 * number is the status. `item`: the status is 200, and each item of the batch is refused for its company. A
 * new operation needs a row.
 */
export const CALLERS = [
  'none', // no token
  'expired',
  'csrf', // a token with the CSRF token of another session
  'stranger',
  'agent', // public
  'admin',
  'owner', // representative
] as const;

export type CallerKind = (typeof CALLERS)[number];

const MATRIX = `
operation                             none  expired  csrf  stranger  agent  admin  owner

authenticate                          422   422      422   422       422    422    422
authenticateByGet                     422   422      422   422       422    422    422
authenticateWithKey                   422   422      422   422       422    422    422
signInWithProvider                    422   422      422   422       422    422    422
getSession                            401   401      401   200       200    200    200
renewSession                          401   401      401   200       200    200    200
endSession                            401   401      401   204       204    204    204
getMe                                 401   401      401   200       200    200    200
changeMe                              401   401      401   200       200    200    200
signInWithPassword                    422   422      422   422       422    422    422
forgotPassword                        204   204      204   204       204    204    204
changePassword                        401   401      401   422       422    422    422
inviteUser                            401   401      401   403       403    200    403
acceptInvitation                      422   422      422   422       422    422    422

listProducts                          401   401      401   403       200    403    200
getProductVersion                     401   401      401   403       200    403    200
listProductPage                       401   401      401   403       200    403    200
downloadProductTable                  401   401      401   403       200    403    200
downloadProductSheet                  401   401      401   403       200    403    200
listMendingReasons                    401   401      401   403       200    403    200
listDeadlines                         401   401      401   200       200    200    200
countDeadlineProducts                 401   401      401   200       200    200    200
downloadDeadlineTable                 401   401      401   200       200    200    200
downloadDeadlineSheet                 401   401      401   200       200    200    200
listDeadlineProducts                  401   401      401   200       200    200    200
downloadDeadlineProductTable          401   401      401   403       200    403    200
downloadDeadlineProductSheet          401   401      401   403       200    403    200
getProductForm                        401   401      401   200       200    200    200
listProductVersions                   401   401      401   403       200    403    200
exportProducts                        401   401      401   403       200    403    200
includeProduct                        401   401      401   403       403    403    200
includeRetroactiveProduct             401   401      401   403       403    403    200
newProductVersion                     401   401      401   403       403    403    200
rectifyProduct                        401   401      401   403       403    403    200
deactivateProduct                     401   401      401   403       403    403    200
batchProducts                         401   401      401   item      item   item   200
includeDraft                        401   401      401   403       403    403    200
editDraft                           401   401      401   403       403    403    422
changeProducts                      401   401      401   403       403    403    202

listForeignOperators                  401   401      401   403       200    403    200
getForeignOperatorVersion             401   401      401   403       200    403    200
listForeignOperatorPage               401   401      401   403       200    403    200
downloadForeignOperatorTable          401   401      401   403       200    403    200
downloadForeignOperatorSheet          401   401      401   403       200    403    200
listForeignOperatorVersions           401   401      401   403       200    403    200
exportForeignOperators                401   401      401   403       200    403    200
includeForeignOperator                401   401      401   403       403    403    200
newForeignOperatorVersion             401   401      401   403       403    403    200
newRetroactiveForeignOperatorVersion  401   401      401   403       403    403    200
rectifyForeignOperator                401   401      401   403       403    403    200
deactivateForeignOperator             401   401      401   403       403    403    200
batchForeignOperators                 401   401      401   item      item   item   200

listLinkPage                          401   401      401   403       200    403    200
downloadLinkTable                     401   401      401   403       200    403    200
downloadLinkSheet                     401   401      401   403       200    403    200
exportLinks                           401   401      401   403       200    403    200
linkManufacturer                      401   401      401   403       403    403    200
unlinkManufacturer                    401   401      401   403       403    403    200
batchLinks                            401   401      401   item      item   item   200
getSummary                            401   401      401   403       200    403    200
search                                401   401      401   200       200    200    200
listAttention                         401   401      401   200       200    200    200
dismissAttention                      401   401      401   403       403    403    204
includeConcessionActs                 401   401      401   item      item   item   200
listConcessionActs                    401   401      401   403       200    403    200

startImport                           401   401      401   202       403    403    202
listImports                           401   401      401   200       200    200    200
getImport                             401   401      401   404       404    404    200
listImportResults                     401   401      401   404       404    404    200
listImportReasons                     401   401      401   404       404    404    200
downloadImportErrors                  401   401      401   404       404    404    200
downloadImportResultsCsv              401   401      401   404       404    404    200
downloadImportResultsXlsx             401   401      401   404       404    404    200
cancelImport                          401   401      401   404       404    404    204
forgetImportResults                 401   401      401   404       404    204    204
listProposals                       401   401      401   200       200    200    200
proposeRecord                       401   401      401   403       403    403    202
proposeImport                       401   401      401   404       403    403    422
approveProposal                     401   401      401   404       403    403    422
rejectProposal                      401   401      401   404       403    403    422
withdrawProposal                    401   401      401   404       403    403    422
undoImport                          401   401      401   404       403    403    422

sendSheet                             401   401      401   403       403    403    201
forgetSheetChoices                    401   401      401   403       403    403    204
getSheet                              401   401      401   404       404    404    404
correctImport                         401   401      401   404       403    403    404
downloadFailedRows                    401   401      401   404       404    404    404
downloadSheetTemplate                 401   401      401   200       200    200    200
downloadSheetTemplateCsv              401   401      401   200       200    200    200

listAttributeTables                   401   401      401   200       200    200    200
getAttributeTableOrigin               401   401      401   200       200    200    200
listAttributeTableHistory             401   401      401   200       200    200    200
getAttributeTableChanges              401   401      401   200       200    200    200
getAttributeTableImpact               401   401      401   200       200    200    200
downloadAttributeTableImpact          401   401      401   200       200    200    200
loadAttributeTable                    401   401      401   403       403    200    403
fetchAttributeTable                   401   401      401   403       403    422    403
activateAttributeTable                401   401      401   403       403    200    403
cancelAttributeTableActivation        401   401      401   403       403    404    403
downloadAttributeTable                200   200      200   200       200    200    200
downloadAttributeTableSignedIn        401   401      401   200       200    200    200
listAttributeTableVersions            401   401      401   200       200    200    200
downloadAttributes                    200   200      200   200       200    200    200
downloadAttributesSignedIn            401   401      401   200       200    200    200
listAttributesVersions                401   401      401   200       200    200    200
findAttributesByCode                  401   401      401   200       200    200    200
findAttributesByName                  401   401      401   200       200    200    200
listNcms                              401   401      401   200       200    200    200
listSubdivisions                      401   401      401   200       200    200    200
getNcmAttributes                      401   401      401   200       200    200    200

loadNomenclature                      401   401      401   403       403    200    403
getNomenclature                       401   401      401   200       200    200    200
searchNcms                            401   401      401   200       200    200    200
getNcm                                401   401      401   200       200    200    200
downloadNomenclature                  200   200      200   200       200    200    200

subscribe                             401   401      401   200       200    200    200
listSubscriptions                     401   401      401   200       200    200    200
changeSubscription                    401   401      401   404       404    404    200
unsubscribe                           401   401      401   404       404    404    204
listFailures                          401   401      401   200       200    200    200
listEventTypes                        401   401      401   200       200    200    200
publishEvent                          401   401      401   403       403    200    403
testSubscription                      401   401      401   404       404    404    200
listEvents                            401   401      401   403       403    200    403
listDeliveries                        401   401      401   200       200    200    200
downloadDeliveries                    401   401      401   200       200    200    200
getDeliverySummary                    401   401      401   200       200    200    200
getDelivery                           401   401      401   404       404    200    200
replayDelivery                        401   401      401   404       404    200    200
replayFailedDeliveries                401   401      401   403       403    200    403

listRemotes                           401   401      401   200       200    200    200
getRemote                             401   401      401   404       404    200    200
addRemote                             401   401      401   403       403    200    403
changeRemote                          401   401      401   403       403    200    403
removeRemote                          401   401      401   403       403    204    403
tryRemote                             401   401      401   403       403    422    403
startComparison                       401   401      401   403       403    403    202
listComparisons                       401   401      401   403       403    403    200
getComparison                         401   401      401   404       404    404    200
cancelComparison                      401   401      401   404       404    404    204
listComparedRecords                   401   401      401   404       404    404    200
downloadComparedRecordsCsv            401   401      401   404       404    404    200
downloadComparedRecordsXlsx           401   401      401   404       404    404    200
downloadRemoteFiles                   401   401      401   404       404    404    200
decidePair                            401   401      401   404       404    404    422
startRun                              401   401      401   404       404    404    202
listRuns                              401   401      401   403       403    403    200
listRemotesOfProduct                  401   401      401   403       403    403    200
getRun                                401   401      401   404       404    404    200
listRunSteps                          401   401      401   404       404    404    200
pauseRun                              401   401      401   404       404    404    422
resumeRun                             401   401      401   404       404    404    422
cancelRun                             401   401      401   404       404    404    422

listCompanies                         401   401      401   403       403    200    403
putCompany                            401   401      401   403       403    200    403
removeCompany                         401   401      401   403       403    422    403
listUsers                             401   401      401   403       403    200    403
putUser                               401   401      401   403       403    200    403
removeUser                            401   401      401   403       403    204    403
endSessionsOfUser                     401   401      401   403       403    204    403
listRepresentations                   401   401      401   403       403    200    403
putRepresentation                     401   401      401   403       403    200    403
removeRepresentation                  401   401      401   403       403    204    403
giveAccess                            401   401      401   403       403    200    403
listIdentities                        401   401      401   403       403    200    403
bindIdentity                          401   401      401   403       403    200    403
unbindIdentity                        401   401      401   403       403    404    403
listGroups                            401   401      401   403       403    200    403
addGroup                              401   401      401   403       403    200    403
removeGroup                           401   401      401   403       403    404    403
listKeys                              401   401      401   403       403    200    403
addKey                                401   401      401   403       403    200    403
revokeKey                             401   401      401   403       403    204    403
listAudit                             401   401      401   403       403    200    403
downloadAudit                         401   401      401   403       403    200    403

listSettings                          401   401      401   403       403    200    403
getFindings                           401   401      401   403       403    200    403
listBackups                           401   401      401   403       403    200    403
makeBackup                            401   401      401   403       403    200    403
drillBackup                           401   401      401   403       403    404    403
testEmail                             401   401      401   403       403    422    403

getFidelity                           401   401      401   200       200    200    200
getHealth                             200   200      200   200       200    200    200
getReadiness                          200   200      200   200       200    200    200
getMetrics                            200   200      200   200       200    200    200
getDocument                           200   200      200   200       200    200    200
getClock                              401   401      401   200       200    200    200
moveClock                             401   401      401   200       200    200    200
reset                                 401   401      401   403       403    204    403
listRequests                          401   401      401   200       200    200    200
clearRequests                         401   401      401   403       403    204    403
followRequests                        401   401      401   200       200    200    200
getRequest                            401   401      401   404       404    200    404
getRequestCurl                        401   401      401   404       404    200    404
getConformity                         401   401      401   403       403    200    403
getConformityAsJunit                  401   401      401   403       403    200    403
clearConformity                       401   401      401   403       403    204    403
listSnapshots                         401   401      401   403       403    200    403
keepSnapshot                          401   401      401   403       403    200    403
restoreSnapshot                       401   401      401   403       403    204    403
removeSnapshot                        401   401      401   403       403    204    403
addFault                              401   401      401   200       200    200    200
listFaults                            401   401      401   200       200    200    200
removeFaults                          401   401      401   204       204    204    204
removeFault                           401   401      401   404       404    404    404
`;

export type Expected = Readonly<Record<CallerKind, string>>;

export interface Row {
  readonly operation: string;
  readonly expected: Expected;
}

export const ROWS: readonly Row[] = MATRIX.split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('operation '))
  .map((line) => {
    const [operation = '', ...cells] = line.split(/\s+/);
    if (cells.length !== CALLERS.length) throw new Error(`${operation}: ${cells.length} cells`);
    const expected = Object.fromEntries(CALLERS.map((kind, at) => [kind, cells[at]])) as Expected;
    return { operation, expected };
  });

/** The column titles above the rows. */
export const HEAD = /^operation +(.*)$/m.exec(MATRIX)?.[1]?.split(/\s+/) ?? [];
