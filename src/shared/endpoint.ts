/** The path of the API, on every server. */
export const endpoint = '/api/v2'

/** Whether the path of a URL belongs to the mock: its API, its pictures, and the control API. */
export const isOfMock = (pathname: string): boolean =>
  pathname.endsWith(endpoint) || /^(?:\/s\/[^/]+)?\/_mock\//.test(pathname)

/** Names ready-made faults for a request. */
export const faultHeader = 'x-mock-fault'

/** Selects the session of a request. */
export const sessionHeader = 'x-mock-session'
