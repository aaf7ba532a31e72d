import { chooseTheme } from "./theme";

chooseTheme();
