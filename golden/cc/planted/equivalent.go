package planted

// equivalent lists, by control and key, changes that alter no result, each with the reason. They are not counted.
var equivalent = map[string]map[string]string{}
