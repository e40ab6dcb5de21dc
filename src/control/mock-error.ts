/** Why a session, a record, a snapshot or a position cannot be used. */
export class MockError extends Error {
  /** 400 if the request is wrong, 404 if something does not exist, 409 if it exists already. */
  readonly status: 400 | 404 | 409
  constructor(status: MockError['status'], message: string) {
    super(message)
    this.status = status
  }
}
