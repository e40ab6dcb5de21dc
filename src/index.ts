/** The public API of the package. */

// The mock
export { createMock } from './mock/create-mock.js'
export type { Listening, ListenOptions, Mock, MockSession } from './mock/create-mock.js'
export type { MockOptions, WorldOptions } from './mock/options.js'

// Its records and clock
export type { ListRecords, MockRecord, RecordFields, RecordMethods, RecordOfType } from './mock/records.js'
export type { RecordTypes } from './mock/record-types.js'
export type { Clock, Instant } from './mock/clock.js'

// What goes wrong on purpose
export type { Fault } from './control/faults/fault.js'
export type { FaultMethods } from './mock/faults.js'

// The requests that it got
export type { Coverage, Usage, Use } from './control/requests/coverage.js'
export type { MockRequest, RequestFilter, RequestOutcome } from './control/requests/request.js'
export type { NextOptions, RequestMethods } from './mock/requests.js'

// Its API in process
export type { ExecuteError, ExecuteRequest, ExecuteResult, TypedDocument } from './mock/execute.js'

// What its options hold
export type { Counts } from '../mocks/counts.js'
export type { Limits } from './server/graphql/limit-rules.js'
export type { HostRules } from './server/http/hosts.js'
export type { LogEntry } from './server/http/listen.js'
export type { Profile } from './profile.js'
export type { WorldFile } from './mock/files/world-file.js'
export type { ScenarioFile } from './mock/files/scenario-file.js'

// The contract suite
export { contractChecks, runContracts } from './commands/check/run-contracts.js'
export type { ContractsOptions as RunContractsOptions } from './commands/check/run-contracts.js'
export type { WriteOptions } from './commands/check/writing.js'
export type { DocumentSource } from './contract/documents.js'
export type { KnownEntry } from './commands/check/known-file.js'
export type { Comparison, ComparedFinding, EarlierReport } from './contract/compare.js'
export type { KnownFailure, Severity, SeverityRule } from './contract/known.js'
export type { MaxLatency } from './contract/traffic.js'
export type {
  LeftOut,
  OperationReport,
  Outcome,
  Report,
  ReportedFinding,
  Result as CheckResult,
  SentHeader,
} from './contract/report.js'

// Checks of one's own
export { assumed, disputed, documented, fail, inconclusive, skip } from './contract/check.js'
export type { Basis, Check, Context, Exchange } from './contract/check.js'
export { operation, withVariables } from './contract/operation.js'
export type { Operation } from './contract/operation.js'

// Targets of one's own
export { TargetError } from './client/target.js'
export type { Answer, Attempt, GraphqlError, GraphqlRequest, SendOptions, Target } from './client/target.js'
