/** Whether two values of answers are the same, as one would write them. */
export const deepEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
